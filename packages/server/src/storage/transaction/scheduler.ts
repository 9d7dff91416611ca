import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EventLoopWatch } from '../../platform/event-loop-watch.ts';
import type { Logger } from '../../platform/logger.ts';
import { type KvWrite, type NotPromise, StoreFailing, StoreFull } from '../kv/store.ts';
import type { CommitLog, LogTransaction } from '../log/log.ts';
import { type TransactionMode, WriteTransaction } from './transaction.ts';

/**
 * A task that runs inside a transaction. A task may be submitted again while it waits; it then runs once for
 * each submission. Submissions of the same object always keep their order.
 */
export interface Task {
  /**
   * Executes the task. The task itself reports errors that the client caused. An error thrown from here rolls back the
   * transaction, and is a bug unless it is `StoreFull` or `StoreFailing`.
   */
  run(transaction: WriteTransaction): void;
  /**
   * Called instead of `run` after `run` failed with a bug. Reports the error to the client. The task cannot
   * read or write data here.
   */
  reject(transaction: WriteTransaction, requestError: RequestError): void;
  /** Returns the last action of the task, for the log of slow work. */
  describe?(): string;
}

export interface TransactionSchedulerOptions {
  readonly log: CommitLog;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Receives the duration of each transaction that takes at least `RECORDED_MS`. */
  readonly eventLoop?: Pick<EventLoopWatch, 'record'>;
}

/**
 * Time in ms after which a transaction runs no further task. The remaining tasks wait for the next transaction.
 */
const MAX_TRANSACTION_MS = 20;

/** Minimum duration of a transaction that is recorded as work of the event loop, in ms. */
const RECORDED_MS = 5;

/**
 * The only writer of the store. Tasks that are submitted within one iteration of the event loop run in order of arrival
 * inside one transaction and become durable together. Their messages are sent after that. If there are more tasks than
 * fit into one transaction, the waiting tasks are interleaved, so that one submitter with many tasks does not block the
 * others.
 *
 * The queue has no limit here. A caller that submits on behalf of a client stops reading from that client while
 * its requests wait.
 */
export class TransactionScheduler {
  readonly #log: CommitLog;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #eventLoop: Pick<EventLoopWatch, 'record'> | undefined;
  #queue: Task[] = [];
  #isScheduled = false;
  /** Whether the disk has taken the last writes. */
  #diskMode: TransactionMode = 'writable';
  /** Resolves when all transactions so far have finished, in order. */
  #finished: Promise<void> = Promise.resolve();

  constructor(options: TransactionSchedulerOptions) {
    this.#log = options.log;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#eventLoop = options.eventLoop;
  }

  submit(task: Task): void {
    this.#queue.push(task);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // `setImmediate` runs after the event loop has read from every socket that is ready.
    setImmediate(() => this.#runQueue());
  }

  /**
   * Like `submit`, but for one caller: resolves with the result of `body` once the transaction is durable. Rejects
   * with the `RequestError` that `body` throws, or with `internal/error` after any other error.
   */
  request<T>(body: (transaction: WriteTransaction) => NotPromise<T>): Promise<T> {
    return new Promise((resolve, reject) => this.submit(new RequestTask(body, resolve, reject)));
  }

  /** Resolves when all tasks submitted earlier have been executed and their results delivered. */
  async drain(): Promise<void> {
    // This may need several transactions, because waiting tasks are interleaved.
    do await this.request(() => undefined);
    while (this.#queue.length > 0);
    await this.#finished;
  }

  #runQueue(): void {
    const ready = this.#log.whenReady();
    if (ready !== undefined) {
      void ready.then(() => this.#runQueue());
      return;
    }
    const tasks = this.#queue;
    this.#queue = [];
    const done = this.#runBatch(tasks, 'writable');
    // Tasks that were submitted during the batch go after the ones that did not fit into it.
    this.#queue = done === tasks.length ? this.#queue : interleave([...tasks.slice(done), ...this.#queue]);
    this.#isScheduled = this.#queue.length > 0;
    if (this.#isScheduled) setImmediate(() => this.#runQueue());
  }

  /** Runs tasks in one transaction. Returns how many of them ran. */
  #runBatch(tasks: readonly Task[], mode: TransactionMode): number {
    const startedMs = this.#clock.elapsedMs();
    let taken = 0;
    let slowest: Task | undefined;
    let slowestMs = 0;
    const error = this.#runTransaction(mode, (transaction) => {
      taken = 0;
      let beforeMs = startedMs;
      for (const task of tasks) {
        task.run(transaction);
        taken++;
        const nowMs = this.#clock.elapsedMs();
        if (nowMs - beforeMs > slowestMs) {
          slowest = task;
          slowestMs = nowMs - beforeMs;
        }
        beforeMs = nowMs;
        if (nowMs - startedMs > MAX_TRANSACTION_MS) break;
      }
    });
    this.#recordDuration(taken, startedMs, slowest);
    if (error === undefined) {
      if (mode === 'writable') this.#trackDisk('writable');
      return taken;
    }
    const readOnly = findReadOnlyMode(error);
    if (readOnly !== undefined && mode === 'writable') {
      this.#trackDisk(readOnly, error);
      return this.#runBatch(tasks, readOnly);
    }
    return this.#runEachAlone(tasks, mode, startedMs);
  }

  #recordDuration(taken: number, startedMs: number, slowest: Task | undefined): void {
    const ms = this.#clock.elapsedMs() - startedMs;
    if (this.#eventLoop === undefined || ms < RECORDED_MS) return;
    const what = slowest?.describe?.() ?? 'a request';
    this.#eventLoop.record(`a transaction of ${taken} tasks, the longest of them: ${what}`, ms);
  }

  /** Logs once when writes start to be rejected, and once when they are possible again. */
  #trackDisk(mode: TransactionMode, error?: unknown): void {
    if (mode === this.#diskMode) return;
    const wasFull = this.#diskMode === 'full';
    this.#diskMode = mode;
    switch (mode) {
      case 'writable':
        if (wasFull) this.#logger.info('disk space is available; writes are accepted again');
        else this.#logger.info('the disk works again; writes are accepted again');
        return;
      case 'full':
        this.#logger.error('the disk is full; writes are rejected until space is free');
        return;
      case 'failing':
        this.#logger.error(
          { err: error },
          'the disk reports errors; writes are rejected until it works again',
        );
        return;
      default:
        mode satisfies never;
    }
  }

  /**
   * Runs each task in its own transaction, because one of them failed with a bug that must not affect the
   * others. Returns how many tasks ran.
   */
  #runEachAlone(tasks: readonly Task[], mode: TransactionMode, startedMs: number): number {
    let taken = 0;
    for (const task of tasks) {
      this.#runAlone(task, mode);
      taken++;
      if (this.#clock.elapsedMs() - startedMs > MAX_TRANSACTION_MS) break;
    }
    return taken;
  }

  #runAlone(task: Task, mode: TransactionMode): void {
    let error = this.#runTransaction(mode, (transaction) => task.run(transaction));
    const readOnly = findReadOnlyMode(error);
    if (readOnly !== undefined && mode === 'writable')
      error = this.#runTransaction(readOnly, (transaction) => task.run(transaction));
    if (error === undefined) return;
    this.#logger.error({ err: error }, 'a request failed');
    const requestError = new RequestError('internal/error', undefined, { cause: error });
    this.#reject(task, requestError);
  }

  /** Rejects a task without a store transaction, because the failure may be in the transaction. */
  #reject(task: Task, requestError: RequestError): void {
    const transaction = this.#createTransaction(UNTOUCHABLE, 'full');
    try {
      task.reject(transaction, requestError);
    } catch (error) {
      transaction.rollback();
      this.#logger.error({ err: error }, 'the error response of a failed request could not be sent');
      return;
    }
    this.#finishInOrder(transaction, Promise.resolve());
  }

  #createTransaction(log: LogTransaction, mode: TransactionMode): WriteTransaction {
    return new WriteTransaction(log, this.#clock.nowMs(), mode, (tx, database) =>
      this.#log.head(tx, database),
    );
  }

  #runTransaction(mode: TransactionMode, body: (transaction: WriteTransaction) => void): unknown {
    let transaction: WriteTransaction | undefined;
    try {
      const sequenced = this.#log.sequence((logTransaction) => {
        transaction = this.#createTransaction(logTransaction, mode);
        body(transaction);
        return transaction;
      });
      this.#finishInOrder(sequenced.result, sequenced.durable);
      return undefined;
    } catch (error) {
      transaction?.rollback();
      return error ?? new Error('unknown failure');
    }
  }

  #finishInOrder(transaction: WriteTransaction, durable: Promise<void>): void {
    const onError = (error: unknown): void =>
      this.#logger.error({ err: error }, 'a response could not be sent');
    this.#finished = Promise.all([this.#finished, durable])
      .then(() => transaction.finish(onError))
      .catch(onError);
  }
}

/** Returns the mode in which tasks run again after an error of the disk; `undefined` after any other error. */
function findReadOnlyMode(error: unknown): 'full' | 'failing' | undefined {
  if (error instanceof StoreFull) return 'full';
  return error instanceof StoreFailing ? 'failing' : undefined;
}

/** A task that resolves or rejects the promise of one caller. */
class RequestTask<T> implements Task {
  readonly #body: (transaction: WriteTransaction) => T;
  readonly #resolve: (result: T) => void;
  readonly #reject: (error: RequestError) => void;

  constructor(
    body: (transaction: WriteTransaction) => T,
    resolve: (result: T) => void,
    reject: (error: RequestError) => void,
  ) {
    this.#body = body;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  run(transaction: WriteTransaction): void {
    try {
      const result = this.#body(transaction);
      transaction.onCommit(() => this.#resolve(result));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.reject(transaction, error);
    }
  }

  reject(transaction: WriteTransaction, requestError: RequestError): void {
    transaction.onCommit(() => this.#reject(requestError));
  }
}

/** The log for a transaction that only rejects a task: it allows no access. */
const UNTOUCHABLE: LogTransaction = {
  get tx(): KvWrite {
    throw new Error('Bug: a rejected task reads or writes data');
  },
  append() {
    throw new Error('Bug: a rejected task appends a commit');
  },
};

/**
 * Interleaves tasks: returns the same tasks in rounds, each round with every object at most once. Submissions
 * of the same object keep their order.
 */
function interleave(tasks: readonly Task[]): Task[] {
  const counts = new Map<Task, number>();
  for (const task of tasks) counts.set(task, (counts.get(task) ?? 0) + 1);
  const fair: Task[] = [];
  while (counts.size > 0)
    for (const [task, count] of counts) {
      fair.push(task);
      if (count === 1) counts.delete(task);
      else counts.set(task, count - 1);
    }
  return fair;
}
