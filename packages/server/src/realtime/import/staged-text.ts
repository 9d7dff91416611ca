import { must } from '@hearth/core/error/assert.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { NotPromise } from '../../storage/kv/store.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { StoredContext } from '../database/authorize.ts';
import type { Database } from '../database/database.ts';
import type { Watcher } from '../database/listens.ts';
import type { StagedValue } from './import.ts';
import { ImportRun, type ImportRunOptions } from './run.ts';
import { TextSlices } from './text-slices.ts';

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

/**
 * The value of a text that is complete in memory. Increments in it are resolved while it is stored, so it watches the node
 * at its path until it is linked or dropped.
 */
export class StagedText implements StagedValue, Watcher {
  readonly isImmediate = true;
  readonly #options: StagedTextOptions;
  #run: ImportRun | undefined;
  #watched: Database | undefined;
  #hasIncrements = false;
  #isTouched = false;
  #failure: RequestError | undefined;
  #isStopped = false;
  #hasRun = false;
  readonly #slices: TextSlices;

  constructor(options: StagedTextOptions) {
    this.#options = options;
    this.#slices = new TextSlices(options.text);
  }

  get wasDropped(): boolean {
    return this.#failure === undefined && this.#run === undefined;
  }

  get isOutdated(): boolean {
    return this.#hasIncrements && this.#isTouched;
  }

  onTouched(): void {
    this.#isTouched = true;
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
    // Otherwise the value would stay in the store until the next start.
    if (this.#hasRun) void this.#dropLater();
  }

  finish(transaction: WriteTransaction, database: Database, context: StoredContext): void {
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
    this.#unwatch();
    const run = this.#run;
    // If the disk is full and the value cannot be removed, the next start removes it.
    if (run === undefined || !transaction.isWritable) return;
    run.remove(transaction);
    this.#run = undefined;
    transaction.onRollback(() => {
      this.#run = run;
      // It is no longer watched.
      this.#isTouched = true;
    });
  }

  #watch(database: Database): void {
    if (this.#watched !== undefined) return;
    this.#watched = database;
    database.listens.addWatcher(this.#options.path, this);
  }

  #unwatch(): void {
    this.#watched?.listens.removeWatcher(this.#options.path, this);
    this.#watched = undefined;
  }

  async #store(): Promise<void> {
    const { request, enterLane, runOptions, path } = this.#options;
    await enterLane();
    const run = await request((transaction, database) => {
      transaction.assertWritable();
      this.#watch(database);
      const onIncrement = (): void => {
        this.#hasIncrements = true;
      };
      return ImportRun.begin({ ...runOptions, onIncrement }, transaction, database, {
        path,
        mode: 'replace',
      });
    });
    this.#run = run;
    const slices = this.#slices;
    while (!slices.isTaken && run.record.status === 'open' && !this.#isStopped) {
      await enterLane();
      slices.encode();
      const taken = await request((transaction, database) =>
        run.take(transaction, database, slices.bytes, slices.isLast),
      );
      slices.take(taken);
    }
    this.#failure = run.failure ?? undefined;
  }

  #dropLater(): Promise<void> {
    // The scheduler logs errors.
    return this.#options.request((transaction) => this.drop(transaction)).catch(() => undefined);
  }
}
