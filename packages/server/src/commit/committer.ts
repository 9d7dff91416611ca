import { Refusal } from '@hearth/core/fault/refusal.ts';
import { StoreFull } from '../kv/store.ts';
import type { CommitLog } from '../log/log.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logger.ts';
import { Turn, type TurnMode } from './turn.ts';

/** One request, or piece of background work, to be decided in its turn. */
export interface TurnTask {
  /**
   * Decides and applies. Refusals of the peer are answered inside; what is thrown is a bug, and undoes the turn.
   */
  run(turn: Turn): void;
  /** The task was run, hit a bug, and has had no effect. */
  fail(refusal: Refusal): void;
}

export interface CommitterOptions {
  readonly log: CommitLog;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Longest time for which one turn keeps the event loop, in ms; later tasks wait for the next turn. */
const MAX_TURN_MS = 20;

/** How many tasks run between two looks at the clock. */
const TASKS_PER_CLOCK = 16;

/**
 * The one writer. Tasks submitted in one turn of the event loop run in order of arrival inside one transaction and
 * become durable together; what they send leaves after that.
 *
 * The queue is not bounded here: whoever submits for a peer stops reading from that peer while its requests wait.
 */
export class Committer {
  readonly #log: CommitLog;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #queue: TurnTask[] = [];
  #isScheduled = false;
  /** Settles when every turn so far was finished, in order. */
  #finished: Promise<void> = Promise.resolve();

  constructor(options: CommitterOptions) {
    this.#log = options.log;
    this.#clock = options.clock;
    this.#logger = options.logger;
  }

  submit(task: TurnTask): void {
    this.#queue.push(task);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // After the event loop has read from every socket that is ready.
    setImmediate(() => this.#runQueue());
  }

  /** As `submit`, for one caller: resolves with the result once durable, rejects with what `body` throws. */
  request<T>(body: (turn: Turn) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.submit({
        run: (turn) => {
          try {
            const result = body(turn);
            turn.afterwards(() => resolve(result));
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            turn.afterwards(() => reject(error));
          }
        },
        fail: reject,
      });
    });
  }

  /** Resolves when everything submitted before has been decided and told. */
  async drain(): Promise<void> {
    await this.request(() => undefined);
    await this.#finished;
  }

  #runQueue(): void {
    const tasks = this.#queue;
    this.#queue = [];
    this.#isScheduled = false;
    const done = this.#runTogether(tasks, 'writable');
    if (done === tasks.length) return;
    this.#queue = [...tasks.slice(done), ...this.#queue];
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#runQueue());
  }

  /** Runs tasks in one turn; returns how many were taken. */
  #runTogether(tasks: readonly TurnTask[], mode: TurnMode): number {
    const startedMs = this.#clock.elapsedMs();
    let taken = 0;
    const error = this.#runTurn(mode, (turn) => {
      taken = 0;
      for (const task of tasks) {
        task.run(turn);
        taken++;
        if (taken % TASKS_PER_CLOCK === 0 && this.#clock.elapsedMs() - startedMs > MAX_TURN_MS) break;
      }
    });
    if (error === undefined) return taken;
    if (error instanceof StoreFull && mode === 'writable') {
      this.#logger.error({ err: error }, 'no room for writes');
      return this.#runTogether(tasks, 'full');
    }
    this.#runEachAlone(tasks, mode);
    return tasks.length;
  }

  /** One of the tasks hit a bug: the others must not suffer from it. */
  #runEachAlone(tasks: readonly TurnTask[], mode: TurnMode): void {
    for (const task of tasks) {
      let error = this.#runTurn(mode, (turn) => task.run(turn));
      if (error instanceof StoreFull && mode === 'writable')
        error = this.#runTurn('full', (turn) => task.run(turn));
      if (error === undefined) continue;
      this.#logger.error({ err: error }, 'a request failed');
      const refusal = new Refusal('internal/error', undefined, { cause: error });
      // In order after the turns before it.
      this.#finished = this.#finished.then(() => task.fail(refusal));
    }
  }

  #runTurn(mode: TurnMode, body: (turn: Turn) => void): unknown {
    let turn: Turn | undefined;
    try {
      const sequenced = this.#log.sequence((logTurn) => {
        turn = new Turn(logTurn, this.#clock.nowMs(), mode, (tx, database) => this.#log.head(tx, database));
        body(turn);
        return turn;
      });
      this.#finishInOrder(sequenced.result, sequenced.durable);
      return undefined;
    } catch (error) {
      turn?.undo();
      return error ?? new Error('unknown failure');
    }
  }

  #finishInOrder(turn: Turn, durable: Promise<void>): void {
    this.#finished = Promise.all([this.#finished, durable]).then(() => turn.finish());
  }
}
