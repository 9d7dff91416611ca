import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type Gateway, openGateway } from './gateway.ts';
import { isJsonObject, parseJson } from './json.ts';
import { leavingPage } from './leaving-page.ts';
import { OwnServers } from './own-servers.ts';
import { openDataDir, startServer } from './server-process.ts';
import { openTap, type Tap } from './tap.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** `http://host:port` of the server under test. */
    readonly serverUrl: string;
    /** `http://host:port` of the stand, through which any runtime reaches taps and rules. */
    readonly standUrl: string;
  }
}

/**
 * Starts what every suite needs, once: the server (or the one named by HEARTH_URL) and the stand, an HTTP
 * service for what a browser cannot do itself, such as watching and cutting connections.
 */
export default async function openStand(project: TestProject): Promise<() => Promise<void>> {
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
  const stand = createServer((request, response) => {
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
    answerStand(request, serverUrl, taps, gateways, servers).then(
      (body) => answer(200, body ?? null),
      (error: unknown) => answer(500, { error: String(error) }),
    );
  });
  // A connection that is kept until the end never closes just when it is used again.
  stand.keepAliveTimeout = 0;
  const standUrl = await listenOnLoopback(stand);
  project.provide('serverUrl', serverUrl);
  project.provide('standUrl', standUrl);
  return async () => {
    for (const tap of taps.values()) await tap.close();
    for (const gateway of gateways.values()) await gateway.close();
    await servers.close();
    stand.closeAllConnections();
    await new Promise((resolve) => stand.close(resolve));
    for (const close of closers) await close();
  };
}

/**
 * The calls of the stand: `/rules/<ns>`, `/taps`, `/taps/<id>/<order>`, and the same for gateways and servers; bodies are JSON or raw
 * text.
 */
async function answerStand(
  request: IncomingMessage,
  serverUrl: string,
  taps: Map<string, Tap>,
  gateways: Map<string, Gateway>,
  servers: OwnServers,
): Promise<unknown> {
  if (request.method === 'OPTIONS') return null;
  const [kind, id, order] = new URL(request.url ?? '/', 'http://stand').pathname.slice(1).split('/');
  const body = await readBody(request);
  if (kind === 'rules') {
    const answer = await fetch(`${serverUrl}/.settings/rules.json?ns=${id}`, {
      method: 'PUT',
      headers: { authorization: 'Bearer owner' },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  }
  if (kind === 'servers') return servers.answer(id, order);
  if (kind === 'gateways') return answerGateway(gateways, serverUrl, id, order, body);
  if (kind !== 'taps') throw new Error(`The stand knows no ${kind}.`);
  if (id === undefined) {
    const tap = await openTap(serverUrl);
    taps.set(tap.id, tap);
    return { id: tap.id, url: tap.url };
  }
  const tap = taps.get(id);
  if (tap === undefined) throw new Error(`There is no tap ${id}.`);
  switch (order) {
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
      throw new Error(`A tap knows no ${order}.`);
  }
}

async function answerGateway(
  gateways: Map<string, Gateway>,
  serverUrl: string,
  id: string | undefined,
  order: string | undefined,
  body: string,
): Promise<unknown> {
  if (id === undefined) {
    const options = parseJson(body);
    if (!isJsonObject(options)) throw new Error('A gateway is opened with a JSON object.');
    const gateway = await openGateway(serverUrl, {
      idleMs: Number(options['idleMs'] ?? 0),
      isBlocking: options['isBlocking'] === true,
    });
    gateways.set(gateway.id, gateway);
    return { id: gateway.id, url: gateway.url };
  }
  const gateway = gateways.get(id);
  if (gateway === undefined) throw new Error(`There is no gateway ${id}.`);
  switch (order) {
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
      throw new Error(`A gateway knows no ${order}.`);
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
