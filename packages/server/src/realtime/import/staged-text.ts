import { must } from '@hearth/core/error/assert.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { NotPromise } from '../../storage/kv/store.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Database } from '../database/database.ts';
import type { LinkContext } from '../database/linked-write.ts';
import type { StagedValue } from './import.ts';
import { ImportRun, type ImportRunOptions } from './run.ts';

/** Schedules the steps of staged values: one between two rounds of network events, in turns of the networks. */
export class StagingLane {
  /** The callers of each network in the order of their calls. The first network has the next turn. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Resolves when the caller's step may run. */
  enter(network: string): Promise<void> {
    return new Promise((resolve) => {
      const isFirst = this.#waiting.size === 0;
      const waiting = this.#waiting.get(network);
      if (waiting === undefined) this.#waiting.set(network, [resolve]);
      else waiting.push(resolve);
      if (isFirst) setImmediate(() => this.#admit());
    });
  }

  #admit(): void {
    for (const [network, waiting] of this.#waiting) {
      this.#waiting.delete(network);
      waiting.shift()?.();
      if (waiting.length > 0) this.#waiting.set(network, waiting);
      break;
    }
    if (this.#waiting.size > 0) setImmediate(() => this.#admit());
  }
}

/** Length of the text that is encoded at once, in UTF-16 code units. */
const SLICE_UNITS = 65_536;

export interface StagedTextOptions {
  readonly runOptions: ImportRunOptions;
  /** Runs `body` in a transaction, and resolves with its result once that is durable. */
  readonly request: <T>(
    body: (transaction: WriteTransaction, database: Database) => NotPromise<T>,
  ) => Promise<T>;
  /** Resolves when the next step may run. */
  readonly enterLane: () => Promise<void>;
  readonly path: Path;
  readonly text: string;
}

/** The value of a text that is complete in memory. */
export class StagedText implements StagedValue {
  readonly #options: StagedTextOptions;
  #run: ImportRun | undefined;
  #failure: RequestError | undefined;
  #isStopped = false;
  #hasRun = false;
  /** Number of code units of the text that are encoded. */
  #encoded = 0;
  /** What is encoded and not taken. */
  #bytes: Buffer = Buffer.alloc(0);
  /** Whether these bytes end within their first token. */
  #isTokenCut = true;

  constructor(options: StagedTextOptions) {
    this.#options = options;
  }

  get needsWholeValue(): boolean {
    if (this.#failure !== undefined) return this.#failure.code === 'server-value/unknown';
    // It is dropped if another attempt needed the whole value.
    return this.#run === undefined;
  }

  async run(): Promise<void> {
    try {
      await this.#store();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#failure = error;
    } finally {
      this.#hasRun = true;
      if (this.#isStopped) await this.#dropLater();
    }
  }

  stop(): void {
    this.#isStopped = true;
    // It would stay until the next start otherwise.
    if (this.#hasRun) void this.#dropLater();
  }

  finish(transaction: WriteTransaction, database: Database, context: LinkContext): void {
    let failure: RequestError | null | undefined = this.#failure;
    if (failure === undefined) {
      const run = must(this.#run, 'the value is stored');
      run.link(transaction, database, context);
      failure = run.failure;
    }
    this.drop(transaction);
    if (failure) throw failure;
  }

  drop(transaction: WriteTransaction): void {
    const run = this.#run;
    // What cannot be removed because the disk is full is removed at the next start.
    if (run === undefined || !transaction.isWritable) return;
    run.remove(transaction);
    this.#run = undefined;
    transaction.onRollback(() => {
      this.#run = run;
    });
  }

  async #store(): Promise<void> {
    const { request, enterLane, runOptions, path } = this.#options;
    await enterLane();
    const run = await request((transaction, database) => {
      transaction.assertWritable();
      return ImportRun.begin(runOptions, transaction, database, { path, mode: 'replace' });
    });
    this.#run = run;
    while (!this.#isStored && run.record.status === 'open' && !this.#isStopped) {
      this.#encodeMore();
      await enterLane();
      const taken = await request((transaction, database) =>
        run.take(transaction, database, this.#bytes, this.#isEncoded),
      );
      this.#bytes = this.#bytes.subarray(taken);
      this.#isTokenCut = taken === 0;
    }
    this.#failure = run.failure ?? undefined;
  }

  #dropLater(): Promise<void> {
    // The scheduler logs what goes wrong.
    return this.#options.request((transaction) => this.drop(transaction)).catch(() => undefined);
  }

  get #isEncoded(): boolean {
    return this.#encoded === this.#options.text.length;
  }

  get #isStored(): boolean {
    return this.#isEncoded && this.#bytes.length === 0;
  }

  /** Encodes the next part of the text. Doubles it for a token that is longer. */
  #encodeMore(): void {
    const { text } = this.#options;
    if (this.#isEncoded || (this.#bytes.length > SLICE_UNITS && !this.#isTokenCut)) return;
    const end = cutAt(text, this.#encoded + Math.max(SLICE_UNITS, this.#bytes.length));
    const more = Buffer.from(text.slice(this.#encoded, end));
    this.#bytes = this.#bytes.length === 0 ? more : Buffer.concat([this.#bytes, more]);
    this.#encoded = end;
  }
}

/** Returns a position near `at` at which no surrogate pair is divided. */
function cutAt(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000 ? at + 1 : at;
}
