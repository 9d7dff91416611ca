import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The first port that `findReservedPort` tries. Systems assign ephemeral ports from a higher range. */
const FIRST_PORT = 20_000;
const PORTS = 10_000;

/** Returns a free port that the system assigns to no other program, so that a server can restart on the port. */
export async function findReservedPort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const bound = new Promise<boolean>((resolve) => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
  });
  server.listen(port, '127.0.0.1');
  if (!(await bound)) return false;
  server.close();
  await once(server, 'close');
  return true;
}

const REPOSITORY = join(import.meta.dirname, '..', '..');
/** Path of the server's program. */
export const SERVER_MAIN = join(REPOSITORY, 'packages/server/src/cli/main.ts');
/** Long enough for a slow or busy machine, and shorter than the timeout of a test. */
const READY_WITHIN_MS = 180_000;

/** The Node binary of the repository, which may be newer than that of the machine. */
export const NODE_BINARY = join(REPOSITORY, 'node_modules/.bin/node');

/** A running server with a data directory. `kill` ends the process immediately, `stop` lets it drain. */
export interface ServerProcess {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** How a server is started. Without a port, or with port 0, the system chooses the port. */
export interface ServerOptions {
  /** `dev` unless given. */
  readonly command?: 'dev' | 'serve';
  readonly dataDir: string;
  readonly port?: number;
  readonly args?: readonly string[];
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Creates a data directory; returns its path and a function that removes it. */
export async function openDataDir(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'hearth-conformance-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Starts a server and waits for its ready line. Throws if the server exits or prints no ready line in time. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const child = spawn(
    NODE_BINARY,
    [
      '--conditions=source',
      SERVER_MAIN,
      options.command ?? 'dev',
      '--port',
      String(options.port ?? 0),
      '--data',
      options.dataDir,
      ...(options.args ?? []),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], cwd: options.dataDir, env: { ...process.env, ...options.env } },
  );
  showLog(child);
  const url = await readReadyUrl(child);
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return {
    url,
    port: Number(new URL(url).port),
    dataDir: options.dataDir,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** Prints the log of the server, whose lines are JSON without a terminal, and its errors, but not its greeting. */
function showLog({ stderr }: ChildProcess): void {
  if (stderr === null) return;
  createInterface({ input: stderr }).on('line', (line) => {
    if (line.startsWith('{') || line.startsWith('hearth:')) console.error(line);
  });
}

function readReadyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The server printed no ready line within ${READY_WITHIN_MS} ms.`));
    }, READY_WITHIN_MS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The server exited with ${code} before it was ready.`));
    });
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^ready (https?:\/\/\S+)$/.exec(line)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
  });
}
