import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { getPriority, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { HttpClient } from '../network/http.ts';
import { parseObject } from '../network/json.ts';
import type { Entry, Target } from '../network/target.ts';
import { readDiskBytes, readMemoryBytes, readWaitedMs } from './figures.ts';
import { type Replacement, WITHOUT_VARIABLE } from './replacement.ts';

const REPOSITORY = join(import.meta.dirname, '../../..');
const NODE_BINARY = join(REPOSITORY, 'node_modules/.bin/node');
const SERVER_MAIN = join(REPOSITORY, 'packages/server/src/cli/main.ts');
const INSTRUMENT = join(import.meta.dirname, 'instrument.ts');

const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 30_000;
const KEPT_LOG_LINES = 200;
const MAX_WARNINGS = 10;
const PROJECT = 'hostile';

/** How a server is started. */
export interface HearthOptions {
  readonly entry: Entry;
  readonly addressGroup: number;
  /** Value of `--memory`, in MiB. */
  readonly memoryMiB: number;
  /** Maximum number of open files of the process; without it, that of the machine. */
  readonly maxFiles?: number;
  readonly args?: readonly string[];
  /** Limits to remove, to prove that a scenario notices. */
  readonly without?: readonly Replacement[];
}

/** A running `hearth serve` with one project, in a data directory of its own. */
export class Hearth implements AsyncDisposable {
  readonly target: Target;
  readonly #child: ChildProcess;
  readonly #dataDir: string;
  readonly #token: string;
  readonly #delaysMs: number[] = [];
  readonly #log: readonly string[];
  readonly #admin: HttpClient;

  private constructor(
    child: ChildProcess,
    dataDir: string,
    target: Target,
    token: string,
    log: readonly string[],
  ) {
    this.target = target;
    this.#child = child;
    this.#dataDir = dataDir;
    this.#token = token;
    this.#log = log;
    this.#admin = new HttpClient(target, { side: 'crowd', host: 249 });
    const delays = child.stdio[3];
    if (delays !== undefined && delays !== null)
      createInterface({ input: delays as Readable }).on('line', (line) => this.#delaysMs.push(Number(line)));
  }

  /** Starts a server, and creates its project. */
  static async start(options: HearthOptions): Promise<Hearth> {
    const dataDir = await mkdtemp(join(tmpdir(), 'hearth-hostile-'));
    const port = await findFreePort();
    const child = spawnServer(options, dataDir, port);
    // It does not inherit the higher priority of the crowd.
    if (child.pid !== undefined && getPriority() < 0) setPriority(child.pid, 0);
    const killAtExit = (): void => void child.kill('SIGKILL');
    process.once('exit', killAtExit);
    child.once('exit', () => process.off('exit', killAtExit));
    const log: string[] = [];
    keepLog(child, log);
    await untilReady(child, log);
    const access = parseObject(await readFile(join(dataDir, 'local-access.json'), 'utf8'));
    const { entry, addressGroup } = options;
    const base = { port, entry, addressGroup, projectId: PROJECT, namespace: `${PROJECT}-default-rtdb` };
    const unknown: Target = { ...base, apiKey: '' };
    const opening = new Hearth(child, dataDir, unknown, String(access['token']), log);
    const created = parseObject(await opening.administer('POST', '/api/projects', { id: PROJECT }));
    opening.#admin[Symbol.dispose]();
    const target: Target = { ...unknown, apiKey: String(created['apiKey']) };
    return new Hearth(child, dataDir, target, String(access['token']), log);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Returns the latest warnings and errors in the log of the server. */
  warnings(): readonly string[] {
    return this.#log.filter((line) => /^\{"level":[456]0/.test(line)).slice(-MAX_WARNINGS);
  }

  /** Returns the latest errors in the log of the server: each is a fault of the server itself. */
  errors(): readonly string[] {
    return this.#log.filter((line) => /^\{"level":[56]0/.test(line) || line.startsWith('hearth:'));
  }

  /** The credential of an administrator. */
  get token(): string {
    return this.#token;
  }

  /** Sends a request as an administrator. Rejects unless it succeeds. Returns the body of the response. */
  async administer(method: string, path: string, body?: unknown): Promise<string> {
    const { status, text } = await this.#admin.ask({
      method,
      path,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      timeoutMs: 120_000,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    if (status < 200 || status > 299) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
    return text;
  }

  /** Returns the delays of the event loop since the last call that were longer than a few milliseconds. */
  takeDelays(): readonly number[] {
    return this.#delaysMs.splice(0);
  }

  /** Returns for how long other programs have kept the server from running, in ms since its start. */
  readWaitedMs(): number {
    return this.isRunning ? readWaitedMs(this.#child.pid ?? 0) : 0;
  }

  readMemoryBytes(): number {
    return readMemoryBytes(this.#child.pid ?? 0);
  }

  readDiskBytes(): number {
    return readDiskBytes(this.#dataDir);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#admin[Symbol.dispose]();
    if (this.isRunning) {
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_WITHIN_MS);
      const exited = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await exited;
      clearTimeout(timer);
    }
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}

function spawnServer(options: HearthOptions, dataDir: string, port: number): ChildProcess {
  const { entry, memoryMiB, maxFiles, args = [], without = [] } = options;
  const node = [
    NODE_BINARY,
    '--conditions=source',
    '--max-semi-space-size=8',
    ...['--import', INSTRUMENT, SERVER_MAIN, 'serve', '--port', String(port), '--data', dataDir],
    ...['--public-url', entry === 'proxied' ? 'https://hearth.test' : `http://127.0.0.1:${port}`],
    ...(entry === 'proxied' ? ['--trust-proxy', '127.0.0.1'] : []),
    ...['--memory', String(memoryMiB)],
    ...args,
  ];
  const [command = '', ...rest] =
    maxFiles === undefined ? node : ['sh', '-c', `ulimit -n ${maxFiles}; exec "$@"`, 'sh', ...node];
  return spawn(command, rest, {
    cwd: dataDir,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      ...(without.length === 0 ? {} : { [WITHOUT_VARIABLE]: JSON.stringify(without) }),
    },
  });
}

function keepLog({ stderr }: ChildProcess, log: string[]): void {
  if (stderr === null) return;
  createInterface({ input: stderr }).on('line', (line) => {
    log.push(line.slice(0, 1_000));
    if (log.length > KEPT_LOG_LINES) log.shift();
  });
}

async function untilReady(child: ChildProcess, log: readonly string[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string): void => reject(new Error(`${reason}\n${log.join('\n')}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('The server was not ready in time.');
    }, READY_WITHIN_MS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`The server exited with ${code} before it was ready.`);
    });
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('ready ')) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Below the range from which systems assign ports to clients. */
const FIRST_PORT = 20_000;
const PORTS = 10_000;

async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    const server = createServer();
    const bound = new Promise<boolean>((resolve) => {
      server.once('listening', () => resolve(true)).once('error', () => resolve(false));
    });
    server.listen(port, '127.0.0.1');
    if (!(await bound)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
