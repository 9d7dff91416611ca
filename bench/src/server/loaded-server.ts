import { readDirectoryBytes, TemporaryDirectory } from '../measure/directory.ts';
import { readCpuUs } from '../measure/process.ts';
import type { ServerCommand } from './command.ts';
import { ServerProcess } from './server-process.ts';

/** The result of one stretch of load. */
export type Stretch = { readonly done: number; readonly durationMs: number };

/** The figures of a stretch. */
export type Sample = { readonly ratePerSecond: number; readonly cpuUs: number };

/** A server on its own directory, and its load. */
export class LoadedServer<Load> {
  readonly #opened: AsyncDisposableStack;
  readonly #server: ServerProcess;
  readonly #load: Load;
  readonly #directory: string;

  private constructor(opened: AsyncDisposableStack, server: ServerProcess, load: Load, directory: string) {
    this.#opened = opened;
    this.#server = server;
    this.#load = load;
    this.#directory = directory;
  }

  static async start<Load extends Disposable>(
    command: ServerCommand,
    openLoad: (port: number) => Promise<Load>,
  ): Promise<LoadedServer<Load>> {
    await using opened = new AsyncDisposableStack();
    const directory = opened.use(new TemporaryDirectory());
    const server = opened.use(await ServerProcess.start(command, directory.path));
    const load = opened.use(await openLoad(server.port));
    return new LoadedServer(opened.move(), server, load, directory.path);
  }

  /** Runs a stretch of the load. `cpuUs` is the processor time of the server for each completed request. */
  async sample(run: (load: Load) => Promise<Stretch>): Promise<Sample> {
    const cpuBeforeUs = readCpuUs(this.#server.pid);
    const { done, durationMs } = await run(this.#load);
    const cpuUs = readCpuUs(this.#server.pid) - cpuBeforeUs;
    return { ratePerSecond: (done / durationMs) * 1_000, cpuUs: cpuUs / done };
  }

  /** Calls `body` with the load. */
  use<T>(body: (load: Load) => T): T {
    return body(this.#load);
  }

  /** Returns the bytes of the server's directory on disk. */
  diskBytes(): number {
    return readDirectoryBytes(this.#directory);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}
