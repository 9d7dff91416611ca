import { RequestError } from '@hearth/core/error/request-error.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import { ADMIN } from '../../access/principal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Lease } from '../../platform/lease.ts';
import { MANY_CLIENTS, type ResourcePool } from '../../platform/resource-pool.ts';
import { type NotPromise, prefixRange } from '../../storage/kv/store.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Database } from '../database/database.ts';
import { hashAfterWrite, runUntilDone } from '../database/hash-steps.ts';
import { requireMayLink } from '../database/linked-write.ts';
import { ChunkQueue } from './chunk-queue.ts';
import {
  ImportConflict,
  type ImportedBytes,
  type ImportRequest,
  type ImportService,
  type ImportState,
  type ImportWriter,
  type StagedValue,
  type StagedWrites,
  type StreamedSetRequest,
} from './import.ts';
import {
  type ImportRecord,
  importKey,
  importState,
  makeRoomForImport,
  STAGED_PREFIX,
  stagedKey,
  stagedNumber,
} from './record.ts';
import { ImportRun, type ImportRunOptions } from './run.ts';
import { StagedText } from './staged-text.ts';
import { StagingLane } from './staging-lane.ts';

interface Running {
  readonly controller: AbortController;
  readonly ended: Promise<unknown>;
}

/**
 * Runs one request at a time for each name. A later request preempts the earlier one, because the earlier one
 * is likely from a client that has lost its connection.
 */
class PreemptiveLock {
  readonly #running = new Map<string, Running>();
  #isClosed = false;

  /**
   * Aborts the earlier body of this name through its signal, waits until it has ended, and runs `body`.
   */
  async run<T>(name: string, body: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new RequestError('request/overload');
    const before = this.#running.get(name);
    before?.controller.abort(
      new RequestError('import/conflict', 'Another request has taken over this import.'),
    );
    const controller = new AbortController();
    const result = (before?.ended ?? Promise.resolve()).then(() => {
      controller.signal.throwIfAborted();
      return body(controller.signal);
    });
    const ended = result.catch(() => undefined);
    const running = { controller, ended };
    this.#running.set(name, running);
    try {
      return await result;
    } finally {
      if (this.#running.get(name) === running) this.#running.delete(name);
    }
  }

  /** Aborts all running bodies, rejects new ones, and resolves when all have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const running = [...this.#running.values()];
    for (const { controller } of running) controller.abort(new RequestError('request/overload'));
    await Promise.all(running.map(({ ended }) => ended));
  }
}

export interface ImportsOptions {
  readonly scheduler: TransactionScheduler;
  readonly clock: Clock;
  readonly openDatabase: (name: string, transaction: WriteTransaction) => Database;
  /** The places for streamed writes of all networks together. */
  readonly places: ResourcePool;
}

/** Maximum number of bytes of a source that are read ahead. */
const MAX_QUEUED_BYTES = 2 ** 18;

/** Bytes that arrive until they end or the signal aborts. */
interface Source {
  readonly chunks: AsyncIterable<Buffer>;
  readonly isLast: boolean;
  readonly signal: AbortSignal;
}

/** The hash of a node after a write, which may be computed later. */
interface FoundHash {
  readonly hash: string | Promise<string | null> | null;
}

function tooManyWrites(): RequestError {
  return new RequestError('request/overload', 'Too many long writes are running. Try again later.');
}

/** Yields the chunks, and records each as progress of the write. */
async function* withProgress(chunks: AsyncIterable<Buffer>, place: Lease): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    place.recordProgress();
    yield chunk;
  }
}

/** All imports. Each one works in steps between other requests. */
export class Imports implements ImportService, StagedWrites {
  readonly #options: ImportsOptions;
  readonly #lane = new StagingLane();
  readonly #preemptiveLock = new PreemptiveLock();
  #lastStaged = 0;

  constructor(options: ImportsOptions) {
    this.#options = options;
  }

  /** Cancels the streamed writes of earlier processes. If the disk is full, they remain and keep their numbers. */
  async dropStaged(): Promise<void> {
    await this.#options.scheduler.request((transaction) => {
      const found = [...transaction.tx.scan('meta', prefixRange(STAGED_PREFIX))];
      for (const { key } of found) this.#lastStaged = Math.max(this.#lastStaged, stagedNumber(key));
      if (!transaction.isWritable) return;
      for (const { key, value } of found)
        new ImportRun(this.#runOptions(key), value.toString()).remove(transaction);
    });
  }

  stageValue(database: string, path: Path, json: string, network: string): StagedValue {
    this.#lastStaged += 1;
    const { scheduler, openDatabase } = this.#options;
    return new StagedText({
      runOptions: this.#runOptions(stagedKey(database, this.#lastStaged)),
      request: (body) =>
        scheduler.request((transaction) => body(transaction, openDatabase(database, transaction))),
      enterLane: () => this.#lane.enter(network),
      path,
      text: json,
    });
  }

  async stageSet(
    name: string,
    request: StreamedSetRequest,
    chunks: AsyncIterable<Buffer>,
  ): Promise<string | null> {
    const eviction = new AbortController();
    const place = this.#options.places.take(
      { network: request.network ?? MANY_CLIENTS, isPrivileged: false },
      1,
      () => eviction.abort(tooManyWrites()),
    );
    if (place === undefined) throw tooManyWrites();
    try {
      return await this.#stage(name, request, withProgress(chunks, place), eviction.signal);
    } finally {
      place.release();
    }
  }

  #stage(
    name: string,
    request: StreamedSetRequest,
    chunks: AsyncIterable<Buffer>,
    evicted: AbortSignal,
  ): Promise<string | null> {
    this.#lastStaged += 1;
    const key = stagedKey(name, this.#lastStaged);
    return this.#preemptiveLock.run(key.toString(), async (closed) => {
      const signal = AbortSignal.any([closed, evicted]);
      const run = await this.#beginStaged(name, key, request);
      try {
        const hash = await this.#takeAll(name, run, { chunks, isLast: true, signal }, request);
        const { failure } = run;
        if (failure !== null) throw failure;
        return hash;
      } finally {
        // A write that cannot be removed because the disk is full is removed at the next start.
        await this.#options.scheduler.request(
          (transaction) => transaction.isWritable && run.remove(transaction),
        );
      }
    });
  }

  /** Stops all running work at its current state. Must be called before the store is closed. */
  close(): Promise<void> {
    return this.#preemptiveLock.close();
  }

  create(name: string, id: string, request: ImportRequest): Promise<ImportState> {
    return this.#request(name, (transaction, database) => {
      const known = this.#findRun(transaction, name, id);
      if (known !== undefined) {
        const state = importState(id, known.record);
        if (isSameImport(known.record, request)) return state;
        throw new ImportConflict('An import with this id exists for another path or mode.', state);
      }
      transaction.assertWritable();
      for (const evicted of makeRoomForImport(transaction.tx, name, transaction.nowMs))
        this.#findRun(transaction, name, evicted)?.remove(transaction);
      const options = this.#runOptions(importKey(name, id));
      return importState(id, ImportRun.begin(options, transaction, database, request).record);
    });
  }

  read(name: string, id: string): Promise<ImportState> {
    return this.#request(name, (transaction) =>
      importState(id, this.#runOrThrow(transaction, name, id).record),
    );
  }

  append(name: string, id: string, { offset, chunks, isLast }: ImportedBytes): Promise<ImportState> {
    return this.#preemptiveLock.run(`${name}/${id}`, async (signal) => {
      const run = await this.#request(name, (transaction) => this.#runOrThrow(transaction, name, id));
      if (run.record.offset !== offset)
        throw new ImportConflict(
          `The import is at byte ${run.record.offset}, not at ${offset}.`,
          importState(id, run.record),
        );
      await this.#takeAll(name, run, { chunks, isLast, signal });
      return importState(id, run.record);
    });
  }

  finish(name: string, id: string): Promise<ImportState> {
    return this.#preemptiveLock.run(`${name}/${id}`, async (signal) => {
      const run = await this.#request(name, (transaction) => this.#runOrThrow(transaction, name, id));
      await this.#takeAll(name, run, { chunks: noChunks(), isLast: true, signal });
      return importState(id, run.record);
    });
  }

  remove(name: string, id: string): Promise<void> {
    return this.#preemptiveLock.run(`${name}/${id}`, () =>
      this.#request(name, (transaction) => {
        transaction.assertWritable();
        this.#runOrThrow(transaction, name, id).remove(transaction);
      }),
    );
  }

  #beginStaged(name: string, key: Buffer, request: StreamedSetRequest): Promise<ImportRun> {
    return this.#request(name, (transaction, database) => {
      const { path } = request;
      // Decides the write before its bytes are taken, and again when all bytes have arrived.
      requireMayLink(transaction, database, request, path);
      return ImportRun.begin(this.#runOptions(key, request), transaction, database, {
        path,
        mode: 'replace',
      });
    });
  }

  /**
   * Takes bytes until they end or the import fails. If they are the last bytes, finishes the import, and returns the hash
   * of the node that `hashed` requests.
   */
  async #takeAll(
    name: string,
    run: ImportRun,
    { chunks, isLast, signal }: Source,
    hashed?: StreamedSetRequest,
  ): Promise<string | null> {
    const queue = new ChunkQueue(chunks, MAX_QUEUED_BYTES, signal);
    try {
      let leftBytes = 0;
      while (run.record.status === 'open') {
        // The remaining bytes are an incomplete token. Scanning them again only when many more have arrived
        // keeps the cost low.
        await queue.waitBeyond(2 * leftBytes);
        const isEnd = queue.hasEnded;
        leftBytes = await this.#interleave(name, run, queue, isEnd && isLast);
        if (isEnd) break;
      }
      let found: FoundHash = { hash: null };
      while (isLast && run.record.status === 'open') {
        signal.throwIfAborted();
        found = await this.#request(name, (transaction, database) => {
          run.finish(transaction, database);
          const isHashed = hashed?.wantsHash === true && run.record.status === 'done';
          return { hash: isHashed ? hashAfterWrite(transaction, database, hashed.path) : null };
        });
      }
      return await found.hash;
    } finally {
      queue.stop();
    }
  }

  /** Takes the available bytes until no more can be taken, and returns how many remain. */
  async #interleave(name: string, run: ImportRun, queue: ChunkQueue, isLast: boolean): Promise<number> {
    for (;;) {
      queue.throwIfBroken();
      const taken = await this.#request(name, (transaction, database) =>
        run.take(transaction, database, queue.view(), isLast),
      );
      queue.take(taken);
      const leftBytes = queue.view().length;
      if (taken === 0 || leftBytes === 0 || run.record.status !== 'open') return leftBytes;
    }
  }

  #request<T>(
    name: string,
    body: (transaction: WriteTransaction, database: Database) => NotPromise<T>,
  ): Promise<T> {
    const { scheduler, openDatabase } = this.#options;
    return runUntilDone(
      (attempt) => scheduler.request((transaction) => attempt(transaction, openDatabase(name, transaction))),
      body,
    );
  }

  #findRun(transaction: WriteTransaction, name: string, id: string): ImportRun | undefined {
    const key = importKey(name, id);
    const saved = transaction.tx.find('meta', key)?.toString();
    return saved === undefined ? undefined : new ImportRun(this.#runOptions(key), saved);
  }

  #runOrThrow(transaction: WriteTransaction, name: string, id: string): ImportRun {
    const run = this.#findRun(transaction, name, id);
    if (run === undefined) throw new RequestError('import/unknown');
    return run;
  }

  #runOptions(key: Buffer, writer: ImportWriter = IMPORTER): ImportRunOptions {
    const { operation, identity, networkOf, areTriggersDisabled, expected } = writer;
    return { key, operation, identity, networkOf, areTriggersDisabled, expected, clock: this.#options.clock };
  }
}

/** The writer of imports: only administrators start imports, and imports trigger nothing. */
const IMPORTER: ImportWriter = { operation: 'PUT', identity: ADMIN, areTriggersDisabled: true };

function isSameImport({ path, mode, previewOf = 'replace' }: ImportRecord, request: ImportRequest): boolean {
  const { mode: requested, previewOf: compared = 'replace' } = request;
  return path === formatPath(request.path) && mode === requested && previewOf === compared;
}

async function* noChunks(): AsyncGenerator<Buffer> {}
