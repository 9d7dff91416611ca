import { Refusal } from '@hearth/core/error/request-error.ts';
import type { KvWrite } from '../kv/store.ts';
import type { Commit } from '../log/commit.ts';
import type { Head, LogTurn, NewCommit } from '../log/log.ts';
import type { Frame } from './frame.ts';

/** A destination for messages that are sent after their transaction is durable. */
export interface Receiver {
  /** Receives the messages of one transaction, in order. */
  deliver(frames: readonly Frame[]): void;
  /** Ends the receiver, because it missed a message. */
  end(): void;
}

/** Whether a transaction accepts writes, or rejects them because the disk is full. */
export type TurnMode = 'writable' | 'full';

/**
 * One transaction of the committer: the state that its tasks read, the commits that they append, and the
 * messages and actions that follow once all of it is durable. If the transaction fails, the actions registered
 * with `onUndo` run in reverse order.
 */
export class Turn {
  /** The server's time, in ms; constant within a transaction. */
  readonly nowMs: number;
  readonly #log: LogTurn;
  readonly #mode: TurnMode;
  readonly #findHead: (tx: KvWrite, database: string) => Head;
  readonly #deliveries = new Map<Receiver, Frame[]>();
  readonly #undo: (() => void)[] = [];
  readonly #afterwards: (() => void)[] = [];

  constructor(
    log: LogTurn,
    nowMs: number,
    mode: TurnMode,
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

  /** Whether the disk has space for writes. */
  get isWritable(): boolean {
    return this.#mode === 'writable';
  }

  /** Throws `store/full` if this transaction cannot write. */
  mustBeWritable(): void {
    if (!this.isWritable) throw new Refusal('store/full');
  }

  append(commit: NewCommit): Commit {
    return this.#log.append(commit);
  }

  /** Sends a message once the transaction is durable, after all messages sent earlier to the same receiver. */
  send(to: Receiver, frame: Frame): void {
    const frames = this.#deliveries.get(to);
    if (frames === undefined) this.#deliveries.set(to, [frame]);
    else frames.push(frame);
  }

  /** Returns the messages that the transaction has queued for a receiver so far. */
  sentTo(receiver: Receiver): readonly Frame[] {
    return this.#deliveries.get(receiver) ?? [];
  }

  /** Registers an action that reverts an in-memory change if the transaction is rolled back. */
  onUndo(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Runs an action once the transaction is durable and its messages have been delivered. */
  afterwards(action: () => void): void {
    this.#afterwards.push(action);
  }

  undo(): void {
    for (const undo of this.#undo.reverse()) undo();
  }

  /**
   * Delivers the messages, then runs the actions registered with `afterwards`. Passes every error that one of
   * them throws to `onError` and continues with the others.
   */
  finish(onError: (error: unknown) => void): void {
    for (const [receiver, frames] of this.#deliveries) {
      const isDelivered = attempt(() => receiver.deliver(frames), onError);
      // The receiver has missed messages, so its client must reconnect and read again.
      if (!isDelivered) attempt(() => receiver.end(), onError);
    }
    for (const action of this.#afterwards) attempt(action, onError);
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
