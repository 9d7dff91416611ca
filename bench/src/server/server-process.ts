import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { readClockMs } from '../measure/time.ts';
import type { ServerCommand } from './command.ts';

/** Returns a loopback port that no program uses now. */
export async function findFreePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('the probe got no port');
  return address.port;
}

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 60_000;
const KEPT_OUTPUT_CHARACTERS = 4_000;

type Child = ChildProcessByStdio<null, Readable, Readable>;

const running = new Set<Child>();
// An interrupted bench must not leave servers behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

/** A server that runs as a child process. The bench knows its port and process id, and when it was ready. */
export class ServerProcess {
  readonly pid: number;
  readonly port: number;
  /** Time from the start of the process to its `ready` line, in ms. */
  readonly startMs: number;
  readonly #child: Child;
  readonly #output: Launched['output'];

  private constructor({ child, pid, port, output }: Launched, startMs: number) {
    this.#child = child;
    this.#output = output;
    this.pid = pid;
    this.port = port;
    this.startMs = startMs;
  }

  /** The end of what the server has printed. */
  get output(): string {
    return this.#output.text();
  }

  get isRunning(): boolean {
    return !hasEnded(this.#child);
  }

  /** Sends a signal to the process. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits until the process ends. */
  async awaitEnd(): Promise<void> {
    if (!hasEnded(this.#child)) await once(this.#child, 'exit');
  }

  /**
   * Starts a server on a free loopback port, and waits for its `ready` line. If the line does not appear in time, kills the
   * server and throws with its output.
   */
  static async start(
    command: ServerCommand,
    dataDirectory: string,
    limitMs = START_LIMIT_MS,
  ): Promise<ServerProcess> {
    const launched = await launch(command, dataDirectory);
    const { child, port, startedMs, output } = launched;
    const ready = `ready http://127.0.0.1:${port}`;
    const outcome = await new Promise<'ready' | 'ended' | 'late'>((resolve) => {
      const timer = setTimeout(() => resolve('late'), limitMs);
      const settle = (result: 'ready' | 'ended') => {
        clearTimeout(timer);
        resolve(result);
      };
      child.stdout.on('data', () => {
        if (output.text().includes(ready)) settle('ready');
      });
      child.once('exit', () => settle('ended'));
    });
    if (outcome !== 'ready') {
      await killChild(child);
      throw new Error(`${command.name} did not become ready (${outcome}):\n${output.text()}`);
    }
    return new ServerProcess(launched, readClockMs() - startedMs);
  }

  /** Stops the server and waits for its end. Kills it and throws if that takes longer than a minute. */
  async stop(): Promise<void> {
    if (hasEnded(this.#child)) return;
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_LIMIT_MS);
    await once(this.#child, 'exit');
    clearTimeout(timer);
    if (this.#child.signalCode === 'SIGKILL') throw new Error('the server did not stop within a minute');
  }

  /** Kills the process with SIGKILL, and waits for its end. */
  async kill(): Promise<void> {
    await killChild(this.#child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

/** Starts a server and kills it after `afterMs`, usually while it still opens its data. */
export async function killWhileStarting(
  command: ServerCommand,
  dataDirectory: string,
  afterMs: number,
): Promise<void> {
  const { child } = await launch(command, dataDirectory);
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  if (!hasEnded(child)) await once(child, 'exit');
  clearTimeout(timer);
}

type Launched = {
  readonly child: Child;
  readonly pid: number;
  readonly port: number;
  readonly startedMs: number;
  readonly output: { readonly text: () => string };
};

async function launch(command: ServerCommand, dataDirectory: string): Promise<Launched> {
  const port = await findFreePort();
  const startedMs = readClockMs();
  const child = spawn(
    process.execPath,
    [...command.arguments, '--port', String(port), '--data', dataDirectory],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...command.environment },
    },
  );
  running.add(child);
  child.once('exit', () => running.delete(child));
  let kept = '';
  const keep = (chunk: Buffer) => {
    kept = (kept + chunk.toString('utf8')).slice(-KEPT_OUTPUT_CHARACTERS);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  if (child.pid === undefined) throw new Error(`${command.name} could not be started`);
  return { child, pid: child.pid, port, startedMs, output: { text: () => kept } };
}

async function killChild(child: Child): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function hasEnded(child: Child): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
