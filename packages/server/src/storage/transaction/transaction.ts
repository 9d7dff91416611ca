import { RequestError } from '@hearth/core/error/request-error.ts';
import type { KvWrite } from '../kv/store.ts';
import type { Commit, Seq } from '../log/commit.ts';
import type { Head, LogTransaction, NewCommit } from '../log/log.ts';
import type { OutgoingMessage } from './outgoing-message.ts';

/** A destination for messages that are sent after their transaction is durable. */
export interface Receiver {
  /**
   * Receives the messages of one transaction, in order, after those of earlier transactions. Does nothing after
   * `end`. If it throws, the receiver is ended.
   */
  deliver(frames: readonly OutgoingMessage[]): void;
  /** Ends the receiver, because it missed a message, and removes its listens. Idempotent. */
  end(): void;
}

/** Whether a transaction accepts writes, or rejects them because the disk is full or reports errors. */
export type TransactionMode = 'writable' | 'full' | 'failing';

/**
 * One transaction of the scheduler: the state that its tasks read, the commits that they append, and the
 * messages and actions that follow once all of it is durable. If the transaction fails, the actions registered
 * with `onRollback` run in reverse order.
 */
export class WriteTransaction {
  /** The server's time, in ms; constant within a transaction. */
  readonly nowMs: number;
  readonly #log: LogTransaction;
  readonly #mode: TransactionMode;
  readonly #findHead: (tx: KvWrite, database: string) => Head;
  readonly #deliveries = new Map<Receiver, OutgoingMessage[]>();
  readonly #rollback: (() => void)[] = [];
  readonly #onCommit: (() => void)[] = [];

  constructor(
    log: LogTransaction,
    nowMs: number,
    mode: TransactionMode,
    findHead: (tx: KvWrite, database: string) => Head,
  ) {
    this.#log = log;
    this.nowMs = nowMs;
    this.#mode = mode;
    this.#findHead = findHead;
  }

  /** The state after all writes of the transaction so far. */
  get tx(): KvWrite {
    return this.#log.tx;
  }

  /**
   * Returns the time of the next commit of a database, in ms: the time of the clock, or the time of the last
   * commit if the clock has gone back since then.
   */
  commitTimeMs(database: string): number {
    return Math.max(this.nowMs, this.#findHead(this.tx, database).timeMs);
  }

  /** Returns the number of the last commit of a database so far. */
  lastSeq(database: string): Seq {
    return this.#findHead(this.tx, database).seq;
  }

  /** Whether the disk takes writes. */
  get isWritable(): boolean {
    return this.#mode === 'writable';
  }

  /** Throws `store/full` or `store/failing` if this transaction cannot write. */
  assertWritable(): void {
    if (this.#mode !== 'writable')
      throw new RequestError(this.#mode === 'full' ? 'store/full' : 'store/failing');
  }

  append(commit: NewCommit): Commit {
    return this.#log.append(commit);
  }

  /** Sends a message once the transaction is durable, after all messages sent earlier to the same receiver. */
  send(to: Receiver, frame: OutgoingMessage): void {
    const frames = this.#deliveries.get(to);
    if (frames === undefined) this.#deliveries.set(to, [frame]);
    else frames.push(frame);
  }

  /** Returns the messages that the transaction has queued for a receiver so far. */
  sentTo(receiver: Receiver): readonly OutgoingMessage[] {
    return this.#deliveries.get(receiver) ?? [];
  }

  /** Registers an action that reverts an in-memory change if the transaction is rolled back. */
  onRollback(rollback: () => void): void {
    this.#rollback.push(rollback);
  }

  /** Runs an action once the transaction is durable and its messages have been delivered. */
  onCommit(action: () => void): void {
    this.#onCommit.push(action);
  }

  rollback(): void {
    for (const rollback of this.#rollback.reverse()) rollback();
  }

  /**
   * Delivers the messages, then runs the actions registered with `onCommit`. Passes every error that a receiver or an
   * action throws to `onError` and continues with the others.
   */
  finish(onError: (error: unknown) => void): void {
    for (const [receiver, frames] of this.#deliveries) {
      const isDelivered = attempt(() => receiver.deliver(frames), onError);
      // The receiver has missed messages, so its client must reconnect and read again.
      if (!isDelivered) attempt(() => receiver.end(), onError);
    }
    for (const action of this.#onCommit) attempt(action, onError);
  }
}

/** Runs an action. Returns false and calls `onError` if it throws. */
function attempt(action: () => void, onError: (error: unknown) => void): boolean {
  try {
    action();
    return true;
  } catch (error) {
    onError(error);
    return false;
  }
}
