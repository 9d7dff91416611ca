import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface NodeProcessOptions {
  readonly directory: string;
  readonly name: string;
  /** Port of clients. */
  readonly port: number;
  /** Port of links from other nodes. */
  readonly linkPort: number;
  readonly natsServers: readonly string[];
  readonly natsMonitors: readonly string[];
}

const MAIN = join(import.meta.dirname, '../../../cli/main.ts');

/** The secret key of all nodes of a trial. */
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

const READY_WITHIN_MS = 120_000;
const POLL_MS = 20;

/** A server of its own process, `hearth serve --cluster`, which can be killed, frozen and started again. */
export class NodeProcess {
  readonly #options: NodeProcessOptions;
  secretKey = SECRET_KEY;
  #child: ChildProcess | undefined;
  #output = '';
  #log = '';

  constructor(options: NodeProcessOptions) {
    this.#options = options;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#options.port}`;
  }

  /** The name of the node in its cluster. */
  get linkAddress(): string {
    return `127.0.0.1:${this.#options.linkPort}`;
  }

  get dataPath(): string {
    return join(this.#options.directory, this.#options.name);
  }

  /** What the process has written to standard error since it was started. */
  get log(): string {
    return this.#log;
  }

  /** The token of the administrator, which is the same for all nodes. */
  get token(): string {
    const access: { readonly token: string } = JSON.parse(
      readFileSync(join(this.dataPath, 'local-access.json'), 'utf8'),
    );
    return access.token;
  }

  /** Starts the process. `more` are further arguments. */
  start(...more: readonly string[]): void {
    const { natsServers, natsMonitors } = this.#options;
    this.startAlone(
      ...['--cluster-address', this.linkAddress],
      // Few, so that the log is trimmed during a trial.
      ...['--cluster-keep', '100'],
      ...natsServers.flatMap((address) => ['--cluster', address]),
      ...natsMonitors.flatMap((address) => ['--cluster-monitor', address]),
      ...more,
    );
  }

  /** Starts the process as a server without a cluster. */
  startAlone(...more: readonly string[]): void {
    const { port } = this.#options;
    const args = [
      ...['serve', '--port', String(port), '--data', this.dataPath, '--public-url', this.url],
      ...['--password-ms', '10', ...more],
    ];
    const child = spawn(process.execPath, ['--conditions=source', MAIN, ...args], {
      env: { HEARTH_SECRET_KEY: this.secretKey },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#output = '';
    this.#log = '';
    child.stdout.on('data', (chunk) => {
      this.#output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      this.#log += chunk;
    });
    this.#child = child;
  }

  /** Resolves when the node can answer. Rejects if its process ends before. */
  async ready(): Promise<void> {
    for (let waitedMs = 0; !this.#output.includes('ready '); waitedMs += POLL_MS) {
      if (this.#child?.exitCode !== null || waitedMs > READY_WITHIN_MS)
        throw new Error(`A node does not start: ${this.#log}`);
      await sleep(POLL_MS);
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Resolves with the exit code when the process has ended by itself. */
  async ended(): Promise<number | null> {
    const child = this.#child;
    if (child === undefined) return null;
    if (child.exitCode === null) await once(child, 'close');
    return child.exitCode;
  }

  /** Ends the process with a signal. Resolves with its exit code when it has ended. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const ended = once(child, 'close');
    child.kill(signal);
    await ended;
    return child.exitCode;
  }

  /** Deletes the directory of a node whose process has ended. */
  removeData(): void {
    if (existsSync(this.dataPath)) rmSync(this.dataPath, { recursive: true });
  }
}
