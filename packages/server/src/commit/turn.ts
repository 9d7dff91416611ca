import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { KvWrite } from '../kv/store.ts';
import type { Commit } from '../log/commit.ts';
import type { Head, LogTurn, NewCommit } from '../log/log.ts';
import type { Frame } from './frame.ts';

/** Takes messages once they may be told. */
export interface Receiver {
  /** The messages of one turn, in order. */
  deliver(frames: readonly Frame[]): void;
  /** Ends the receiver: it cannot be told what it should know. */
  end(): void;
}

/** Whether writes are decided in a turn, or refused because there is no room for them. */
export type TurnMode = 'writable' | 'full';

/**
 * One turn of the committer: the view that its tasks decide on, what they append, and what is told once all of it is
 * durable. When the turn fails, everything registered with `onUndo` is undone, last first.
 */
export class Turn {
  /** The server's time, the same for the whole turn. */
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

  /** State after everything decided so far. */
  get tx(): KvWrite {
    return this.#log.tx;
  }

  /** Time of the next commit of a database: the clock, unless that went back since the last commit. */
  commitTimeMs(database: string): number {
    return Math.max(this.nowMs, this.#findHead(this.tx, database).timeMs);
  }

  /** Is there room for writes? */
  get isWritable(): boolean {
    return this.#mode === 'writable';
  }

  /** Refuses with `store/full` when nothing can be written in this turn. */
  mustBeWritable(): void {
    if (!this.isWritable) throw new Refusal('store/full');
  }

  append(commit: NewCommit): Commit {
    return this.#log.append(commit);
  }

  /** Sends a message once the turn is durable, after all that was sent to the same receiver before. */
  send(to: Receiver, frame: Frame): void {
    const frames = this.#deliveries.get(to);
    if (frames === undefined) this.#deliveries.set(to, [frame]);
    else frames.push(frame);
  }

  /** The messages that a receiver will be sent, as far as the turn has come. */
  sentTo(receiver: Receiver): readonly Frame[] {
    return this.#deliveries.get(receiver) ?? [];
  }

  /** Registers how to take back a change of memory that the turn made. */
  onUndo(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Runs once the turn is durable, after its messages were handed over. */
  afterwards(action: () => void): void {
    this.#afterwards.push(action);
  }

  undo(): void {
    for (const undo of this.#undo.reverse()) undo();
  }

  /**
   * Hands over the messages and runs what is to be done afterwards. `onError` is told what one of them throws, which
   * keeps none of the others from its own.
   */
  finish(onError: (error: unknown) => void): void {
    for (const [receiver, frames] of this.#deliveries) {
      const isDelivered = attempt(() => receiver.deliver(frames), onError);
      // It has missed something: it must come back and ask again.
      if (!isDelivered) attempt(() => receiver.end(), onError);
    }
    for (const action of this.#afterwards) attempt(action, onError);
  }
}

/** Runs an action; tells `onError` and returns `false` when it throws. */
function attempt(action: () => void, onError: (error: unknown) => void): boolean {
  try {
    action();
    return true;
  } catch (error) {
    onError(error);
    return false;
  }
}
