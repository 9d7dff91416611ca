import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Gateway, openGateway } from './gateway.ts';
import { isJsonObject, parseJson } from './json.ts';
import { findReservedPort, openDataDir, type ServerProcess, startServer } from './server-process.ts';
import { openTap, type Tap } from './tap.ts';

const SDK = dirname(createRequire(import.meta.url).resolve('firebase/package.json'));

/**
 * Returns the HTML of a page with its own long-polling client, for a test that opens the page in a frame and leaves it.
 * The query of the page's address is `?url=<database URL>&path=<path>`. The client writes `online` at the path and
 * requests `offline` on disconnect. After that, the page posts `registered` to its parent.
 */
function leavingPage(): string {
  const scripts = ['firebase-app-compat.js', 'firebase-database-compat.js'].map((name) => {
    const text = readFileSync(join(SDK, name), 'utf8');
    return `<script>${text.replaceAll('</script', '<\\/script')}</script>`;
  });
  return `<!doctype html><body>${scripts.join('')}<script>
const parameters = new URL(location.href).searchParams;
const database = firebase.initializeApp({ databaseURL: parameters.get('url') }).database();
database.INTERNAL.forceLongPolling();
const at = database.ref(parameters.get('path'));
at.set('online')
  .then(() => at.onDisconnect().set('offline'))
  .then(() => parent.postMessage('registered', '*'));
</script></body>`;
}

interface OwnServer {
  server: ServerProcess;
  readonly remove: () => Promise<void>;
}

/** Servers of single tests. A test may stop or kill its server, and start it again with the same data and port. */
class OwnServers {
  readonly #servers = new Map<string, OwnServer>();

  /**
   * Without an ID, opens a server and returns its ID and URL. Otherwise executes a command of that server: `stop`,
   * `kill`, `start` or `close`. Throws if the ID or the command is unknown.
   */
  async answer(id: string | undefined, command: string | undefined): Promise<unknown> {
    if (id === undefined) return this.#open();
    const own = this.#servers.get(id);
    if (own === undefined) throw new Error(`Unknown server: ${id}`);
    switch (command) {
      case 'stop':
      case 'kill':
        return own.server[command]();
      case 'start':
        own.server = await startServer({ dataDir: own.server.dataDir, port: own.server.port });
        return null;
      case 'close':
        this.#servers.delete(id);
        return close(own);
      default:
        throw new Error(`Unknown command for a server: ${command}`);
    }
  }

  async close(): Promise<void> {
    for (const own of this.#servers.values()) await close(own);
  }

  async #open(): Promise<{ readonly id: string; readonly url: string }> {
    const { path, remove } = await openDataDir();
    const server = await startServer({ dataDir: path, port: await findReservedPort() });
    const own = { server, remove };
    const id = randomUUID();
    this.#servers.set(id, own);
    return { id, url: own.server.url };
  }
}

async function close({ server, remove }: OwnServer): Promise<void> {
  await server.stop();
  await remove();
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** `http://host:port` of the server under test. */
    readonly serverUrl: string;
    /** `http://host:port` of the test bed, which controls taps, gateways, servers and rules for tests anywhere. */
    readonly testBedUrl: string;
  }
}

/**
 * Starts the programs that all suites share: the server, unless HEARTH_URL names one, and the test bed. The test bed
 * is an HTTP service that does for browsers what they cannot do themselves, such as watching and cutting connections.
 * Returns a function that stops everything that was started.
 */
export default async function openTestBed(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['HEARTH_URL'];
  const closers: (() => Promise<void>)[] = [];
  let serverUrl = given;
  if (serverUrl === undefined) {
    const data = await openDataDir();
    const server = await startServer({ dataDir: data.path });
    closers.push(() => server.stop(), data.remove);
    serverUrl = server.url;
  }
  const taps = new Map<string, Tap>();
  const gateways = new Map<string, Gateway>();
  const servers = new OwnServers();
  const testBed = createServer((request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'access-control-allow-methods': '*',
      });
      response.end(JSON.stringify(body));
    };
    if (request.url?.startsWith('/leaving-page')) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(leavingPage());
      return;
    }
    answerTestBed(request, serverUrl, taps, gateways, servers).then(
      (body) => answer(200, body ?? null),
      (error: unknown) => answer(500, { error: String(error) }),
    );
  });
  // Idle connections stay open until the end. Otherwise one could close just when a client sends its next request.
  testBed.keepAliveTimeout = 0;
  const testBedUrl = await listenOnLoopback(testBed);
  project.provide('serverUrl', serverUrl);
  project.provide('testBedUrl', testBedUrl);
  return async () => {
    for (const tap of taps.values()) await tap.close();
    for (const gateway of gateways.values()) await gateway.close();
    await servers.close();
    testBed.closeAllConnections();
    await new Promise((resolve) => testBed.close(resolve));
    for (const close of closers) await close();
  };
}

/**
 * Executes a request to the test bed, and returns the body of the response as a JSON value. `/rules/<ns>` uploads
 * rules, `/taps` opens a tap, and `/taps/<id>/<command>` executes a command of the tap. Gateways and servers have
 * addresses of the same forms. Throws if the address is unknown or the command fails.
 */
async function answerTestBed(
  request: IncomingMessage,
  serverUrl: string,
  taps: Map<string, Tap>,
  gateways: Map<string, Gateway>,
  servers: OwnServers,
): Promise<unknown> {
  if (request.method === 'OPTIONS') return null;
  const [kind, id, command] = new URL(request.url ?? '/', 'http://test-bed').pathname.slice(1).split('/');
  const body = await readBody(request);
  if (kind === 'rules') {
    const answer = await fetch(`${serverUrl}/.settings/rules.json?ns=${id}`, {
      method: 'PUT',
      headers: { authorization: 'Bearer owner' },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  }
  if (kind === 'servers') return servers.answer(id, command);
  if (kind === 'gateways') return answerGateway(gateways, serverUrl, id, command, body);
  if (kind !== 'taps') throw new Error(`Unknown address of the test bed: ${kind}`);
  if (id === undefined) {
    const tap = await openTap(serverUrl);
    taps.set(tap.id, tap);
    return { id: tap.id, url: tap.url };
  }
  const tap = taps.get(id);
  if (tap === undefined) throw new Error(`Unknown tap: ${id}`);
  switch (command) {
    case 'messages':
      return tap.messages();
    case 'cut':
      return tap.cut();
    case 'hold':
      return tap.hold();
    case 'release':
      return tap.release();
    case 'inject':
      return tap.inject(body);
    case 'close':
      taps.delete(id);
      return tap.close();
    default:
      throw new Error(`Unknown command for a tap: ${command}`);
  }
}

async function answerGateway(
  gateways: Map<string, Gateway>,
  serverUrl: string,
  id: string | undefined,
  command: string | undefined,
  body: string,
): Promise<unknown> {
  if (id === undefined) {
    const options = parseJson(body);
    if (!isJsonObject(options)) throw new Error('Opening a gateway needs a JSON object.');
    const gateway = await openGateway(serverUrl, {
      idleMs: Number(options['idleMs'] ?? 0),
      isBlocking: options['isBlocking'] === true,
    });
    gateways.set(gateway.id, gateway);
    return { id: gateway.id, url: gateway.url };
  }
  const gateway = gateways.get(id);
  if (gateway === undefined) throw new Error(`Unknown gateway: ${id}`);
  switch (command) {
    case 'addresses':
      return gateway.addresses();
    case 'block':
      return gateway.block();
    case 'fail':
      return gateway.fail();
    case 'allow':
      return gateway.allow();
    case 'close':
      gateways.delete(id);
      return gateway.close();
    default:
      throw new Error(`Unknown command for a gateway: ${command}`);
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Binds to an ephemeral loopback port and returns the URL. */
export async function listenOnLoopback(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
