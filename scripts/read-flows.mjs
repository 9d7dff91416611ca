import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PINNED_NODE, ROOT } from './paths.mjs';

/** A flow of ARCHITECTURE.md, with the paths of its files from the root, in reading order. @typedef {{ name: string, files: readonly string[] }} Flow */

const START_LIMIT_MS = 60_000;
const DATABASE = 'demo-default-rtdb';
const ACCOUNT = { email: 'ann@example.com', password: 'correct horse battery' };
const RULES = { rules: { messages: { $id: { '.write': 'newData.hasChild("text")' } } } };

/** Returns the rows of the table of flows. @returns {Promise<readonly Flow[]>} */
export async function readFlows() {
  const text = await readFile(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const [, section = ''] = /\n## Files of each flow\n([\s\S]*?)(?=\n## |$)/.exec(text) ?? [];
  return [...section.matchAll(/^\| \*\*(.+?)\*\*[^|]* \| (.+) \|$/gm)].map(([, name = '', cell = '']) => ({
    name,
    files: [...cell.matchAll(/`([^`/]+)\/([^`]+)`/g)].map(([, part, rest]) => `packages/${part}/src/${rest}`),
  }));
}

/** A connection to the inspector of a Node process. The inspector counts the calls of each function. */
class Inspector {
  #socket;
  #lastId = 0;
  /** @type {Map<number, (result: any) => void>} */
  #waiting = new Map();

  /** @param {WebSocket} socket */
  constructor(socket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, result } = JSON.parse(String(data));
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  /** @param {string} address @returns {Promise<Inspector>} */
  static async open(address) {
    const socket = new WebSocket(address);
    await once(socket, 'open');
    const inspector = new Inspector(socket);
    await inspector.#send('Profiler.enable');
    await inspector.#send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return inspector;
  }

  /**
   * Returns the source files with a function that has run since the last call.
   * @returns {Promise<readonly string[]>}
   */
  async takeFiles() {
    const { result } = await this.#send('Profiler.takePreciseCoverage');
    return result.flatMap((/** @type {any} */ { url, functions }) => {
      const [, path] = /(packages\/[^/]+\/src\/.+)$/.exec(url) ?? [];
      // Excludes the function that stands for a whole module: it runs when the module loads.
      const hasRun = functions.some(
        (/** @type {any} */ { functionName, ranges: [{ startOffset, count }] }) =>
          count > 0 && !(functionName === '' && startOffset === 0),
      );
      return path !== undefined && hasRun ? [path] : [];
    });
  }

  /** @param {string} method @param {object} [params] @returns {Promise<any>} */
  #send(method, params = {}) {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  close() {
    this.#socket.close();
  }
}

/** @param {WebSocket} socket @param {'open' | 'message'} event @returns {Promise<any>} */
function once(socket, event) {
  return new Promise((resolve, reject) => {
    socket.addEventListener(event, resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error('the WebSocket failed')), { once: true });
  });
}

/** Starts a server with an inspector. @param {string} data @returns {Promise<{ url: string, inspector: string, stop: () => Promise<void> }>} */
async function startServer(data) {
  const main = join(ROOT, 'packages/server/src/cli/main.ts');
  const child = spawn(
    PINNED_NODE,
    ['--inspect=127.0.0.1:0', '--conditions=source', main, 'dev', '--port', '0', '--data', data],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  // A program that cannot be started has no exit, only an error.
  const exited = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  let output = '';
  const addresses = new Promise((resolve, reject) => {
    const add = (/** @type {Buffer} */ chunk) => {
      output += chunk;
      const inspector = /Debugger listening on (ws:\S+)/.exec(output)?.[1];
      const url = /^ready (\S+)/m.exec(output)?.[1];
      if (inspector !== undefined && url !== undefined) resolve({ inspector, url, stop });
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    const fail = () => reject(new Error(`the server did not start:\n${output}`));
    child.once('exit', fail).once('error', fail);
    setTimeout(fail, START_LIMIT_MS).unref();
  });
  try {
    return await addresses;
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Starts a server in development mode, and runs each flow that starts with a request. Returns, by the name of the
 * flow, the files whose functions ran.
 * @returns {Promise<ReadonlyMap<string, readonly string[]>>}
 */
export async function readMeasuredFlows() {
  const data = await mkdtemp(join(tmpdir(), 'hearth-flows-'));
  const { url, inspector: address, stop } = await startServer(data);
  try {
    const inspector = await Inspector.open(address);
    const measured = await measureFlows(url, inspector);
    inspector.close();
    return measured;
  } finally {
    await stop();
    await rm(data, { recursive: true });
  }
}

/** @param {string} url @param {Inspector} inspector */
async function measureFlows(url, inspector) {
  const send = async (
    /** @type {string} */ method,
    /** @type {string} */ path,
    /** @type {object} */ body,
  ) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: 'Bearer owner' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    await response.text();
  };
  await send('PUT', `/.settings/rules.json?ns=${DATABASE}`, RULES);
  await send('POST', '/v1/accounts:signUp?key=any', ACCOUNT);
  const socket = await openSocket(`${url.replace('http', 'ws')}/.ws?v=5&ns=${DATABASE}`);
  let key = 0;
  /** @type {Readonly<Record<string, () => Promise<void>>>} */
  const flows = {
    'A write over a WebSocket': () => socket.request('p', { p: `/messages/${key++}`, d: { text: 'a' } }),
    'A write over REST': () => send('PUT', `/messages/${key++}.json?ns=${DATABASE}&auth=`, { text: 'a' }),
    'A sign-in with a password': () => send('POST', '/v1/accounts:signInWithPassword?key=any', ACCOUNT),
  };
  const measured = new Map();
  for (const [name, run] of Object.entries(flows)) {
    // The first run fills caches.
    await run();
    await inspector.takeFiles();
    await run();
    measured.set(name, await inspector.takeFiles());
  }
  socket.close();
  return measured;
}

/** @param {string} address */
async function openSocket(address) {
  const socket = new WebSocket(address);
  await once(socket, 'message');
  let lastRequest = 0;
  return {
    /**
     * Resolves when the server has accepted the request, rejects if the server denies it.
     * @param {string} action
     * @param {object} body
     */
    async request(action, body) {
      lastRequest += 1;
      const number = lastRequest;
      socket.send(JSON.stringify({ t: 'd', d: { r: number, a: action, b: body } }));
      for (;;) {
        const { data } = await once(socket, 'message');
        const { d } = JSON.parse(String(data));
        if (d?.r !== number) continue;
        if (d.b.s !== 'ok') throw new Error(`the server answered ${data}`);
        return;
      }
    },
    close: () => socket.close(),
  };
}
