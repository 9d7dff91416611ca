import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type KvWrite, StoreFull } from '../kv/store.ts';
import type { CommitLog, LogTurn } from '../log/log.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logger.ts';
import { Turn, type TurnMode } from './turn.ts';

/**
 * Something to be done in its turn. May be submitted again while it waits; it then runs as often. Tasks that are the same
 * object keep their order whatever happens.
 */
export interface TurnTask {
  /**
   * Decides and applies. Refusals of the peer are answered inside; what is thrown is a bug, and undoes the turn.
   */
  run(turn: Turn): void;
  /** Called instead of `run`, which hit a bug: whoever waits for it is told. There is no data to be seen or changed. */
  refuse(turn: Turn, refusal: Refusal): void;
}

export interface CommitterOptions {
  readonly log: CommitLog;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Longest time for which one turn keeps the event loop, in ms; later tasks wait for the next turn. */
const MAX_TURN_MS = 20;

/**
 * The one writer. Tasks submitted in one turn of the event loop run in order of arrival inside one transaction and
 * become durable together; what they send leaves after that. When there is more than one turn can take, those who wait
 * take turns, so that nobody waits for all that another has asked for.
 *
 * The queue is not bounded here: whoever submits for a peer stops reading from that peer while its requests wait.
 */
export class Committer {
  readonly #log: CommitLog;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #queue: TurnTask[] = [];
  #isScheduled = false;
  #hasRoom = true;
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
    return new Promise((resolve, reject) => this.submit(new RequestTask(body, resolve, reject)));
  }

  /** Resolves when everything submitted before has been decided and told. */
  async drain(): Promise<void> {
    // More than one turn may be needed, and tasks take turns.
    do await this.request(() => undefined);
    while (this.#queue.length > 0);
    await this.#finished;
  }

  #runQueue(): void {
    const tasks = this.#queue;
    this.#queue = [];
    const done = this.#runTogether(tasks, 'writable');
    // What was submitted meanwhile comes behind what was left over.
    this.#queue = done === tasks.length ? this.#queue : takeTurns([...tasks.slice(done), ...this.#queue]);
    this.#isScheduled = this.#queue.length > 0;
    if (this.#isScheduled) setImmediate(() => this.#runQueue());
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
        if (this.#clock.elapsedMs() - startedMs > MAX_TURN_MS) break;
      }
    });
    if (error === undefined) {
      if (mode === 'writable') this.#noteRoom(true);
      return taken;
    }
    if (error instanceof StoreFull && mode === 'writable') {
      this.#noteRoom(false);
      return this.#runTogether(tasks, 'full');
    }
    return this.#runEachAlone(tasks, mode, startedMs);
  }

  /** Says once that writes are refused, and once that they are not any more. */
  #noteRoom(hasRoom: boolean): void {
    if (hasRoom === this.#hasRoom) return;
    this.#hasRoom = hasRoom;
    if (hasRoom) this.#logger.info('there is room for writes again');
    else this.#logger.error('the disk is full: writes are refused until there is room');
  }

  /** One of the tasks hit a bug: the others must not suffer from it. Returns how many were taken. */
  #runEachAlone(tasks: readonly TurnTask[], mode: TurnMode, startedMs: number): number {
    let taken = 0;
    for (const task of tasks) {
      this.#runAlone(task, mode);
      taken++;
      if (this.#clock.elapsedMs() - startedMs > MAX_TURN_MS) break;
    }
    return taken;
  }

  #runAlone(task: TurnTask, mode: TurnMode): void {
    let error = this.#runTurn(mode, (turn) => task.run(turn));
    if (error instanceof StoreFull && mode === 'writable')
      error = this.#runTurn('full', (turn) => task.run(turn));
    if (error === undefined) return;
    this.#logger.error({ err: error }, 'a request failed');
    const refusal = new Refusal('internal/error', undefined, { cause: error });
    this.#refuse(task, refusal);
  }

  /** Without a transaction, which may be what fails. */
  #refuse(task: TurnTask, refusal: Refusal): void {
    const turn = this.#createTurn(UNTOUCHABLE, 'full');
    try {
      task.refuse(turn, refusal);
    } catch (error) {
      turn.undo();
      this.#logger.error({ err: error }, 'a failed request could not be refused');
      return;
    }
    this.#finishInOrder(turn, Promise.resolve());
  }

  #createTurn(log: LogTurn, mode: TurnMode): Turn {
    return new Turn(log, this.#clock.nowMs(), mode, (tx, database) => this.#log.head(tx, database));
  }

  #runTurn(mode: TurnMode, body: (turn: Turn) => void): unknown {
    let turn: Turn | undefined;
    try {
      const sequenced = this.#log.sequence((logTurn) => {
        turn = this.#createTurn(logTurn, mode);
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
    const onError = (error: unknown): void =>
      this.#logger.error({ err: error }, 'an answer could not be delivered');
    this.#finished = Promise.all([this.#finished, durable])
      .then(() => turn.finish(onError))
      .catch(onError);
  }
}

/** A body that one caller waits for. */
class RequestTask<T> implements TurnTask {
  readonly #body: (turn: Turn) => T;
  readonly #resolve: (result: T) => void;
  readonly #reject: (error: Refusal) => void;

  constructor(body: (turn: Turn) => T, resolve: (result: T) => void, reject: (error: Refusal) => void) {
    this.#body = body;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  run(turn: Turn): void {
    try {
      const result = this.#body(turn);
      turn.afterwards(() => this.#resolve(result));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refuse(turn, error);
    }
  }

  refuse(turn: Turn, refusal: Refusal): void {
    turn.afterwards(() => this.#reject(refusal));
  }
}

/** What a refusal sees of the log: nothing. */
const UNTOUCHABLE: LogTurn = {
  get tx(): KvWrite {
    throw new Error('Bug: a refusal reads or writes data');
  },
  append() {
    throw new Error('Bug: a refusal makes a commit');
  },
};

/** The same tasks, one of each in turn; those that are the same object stay in order. */
function takeTurns(tasks: readonly TurnTask[]): TurnTask[] {
  const counts = new Map<TurnTask, number>();
  for (const task of tasks) counts.set(task, (counts.get(task) ?? 0) + 1);
  const fair: TurnTask[] = [];
  while (counts.size > 0)
    for (const [task, count] of counts) {
      fair.push(task);
      if (count === 1) counts.delete(task);
      else counts.set(task, count - 1);
    }
  return fair;
}
