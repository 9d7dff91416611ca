import { type Body, decodeBody } from './body.ts';
import { type ChainPosition, ChainReader, isLastValid, type LogRecord, type ValidityRule } from './chain.ts';
import type { LogExtent, ReplicatedLog, Slot, StoredMessage } from './replicated-log.ts';
import type { Timers } from './timers.ts';

/** The state that a node has built from the log. */
export interface View {
  /** The position up to which records are applied. It is stored in the same transaction as their effects. */
  readonly position: ChainPosition;
  /** Applies the body of a record and stores the position after it, both or neither. */
  apply(body: Body, position: ChainPosition): void;
}

/** Why a node stops reading a shard. An operator has to act. */
export type StopReason =
  /** This version cannot read a valid message. */
  | { readonly kind: 'unreadable'; readonly slot: Slot; readonly reason: string }
  /** The log has another message in a slot that this node has applied: it has lost acknowledged messages. */
  | { readonly kind: 'forked'; readonly slot: Slot }
  /** The log does not contain what comes before one of its messages, and the node does not have it either. */
  | { readonly kind: 'trimmed'; readonly first: Slot }
  /** The log ends before the last valid message that the node has. It is another log, or it has lost messages. */
  | { readonly kind: 'rewound'; readonly last: Slot; readonly validSlot: Slot };

/** The effect of a message that was read. */
export type Applied = 'dead' | 'chunk' | 'record';

export interface FollowerOptions {
  readonly log: ReplicatedLog;
  readonly view: View;
  readonly timers: Pick<Timers, 'elapsedMs'>;
  readonly rule?: ValidityRule | undefined;
  /** Receives each message that was read, after its record was applied. */
  readonly onRead: (stored: StoredMessage, applied: Applied) => void;
  readonly onStop: (reason: StopReason) => void;
}

/** Number of messages that one read asks for. */
const READ_MESSAGES = 64;

/** Number of reads without a message, one after the other, after which a node asks where the log ends. */
const EMPTY_READS = 3;

/**
 * How long the log must end before the last valid message of the node until the node concludes that messages are lost.
 * A server that has just begun to lead may be behind, and one that is cut off answers for some seconds as if it still
 * led.
 */
const REWOUND_MS = 10_000;

/**
 * Reads the log of a shard and applies its valid records to a view, in order.
 *
 * Each read begins with the last valid message that the node has, to see whether it is still the same. Otherwise a node
 * whose log has lost messages would treat all later messages as dead. After many dead messages, a read begins after
 * them.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #reader: ChainReader;
  #stopped: StopReason | undefined;
  #deadMessages = 0;
  /** Number of reads without a message since the last one with messages. */
  #emptyReads = 0;
  /** Since when the log has ended before the last valid message of the node; `undefined` if it does not. */
  #rewoundAtMs: number | undefined;
  #isAskingExtent = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#reader = new ChainReader(options.view.position, options.rule);
  }

  get position(): ChainPosition {
    return this.#reader.position;
  }

  /** Why the follower has stopped; `undefined` while it reads. */
  get stopped(): StopReason | undefined {
    return this.#stopped;
  }

  /** Number of dead messages read. A few per change of the sequencer are normal. */
  get deadMessages(): number {
    return this.#deadMessages;
  }

  /**
   * Applies a message that another node sent, if it is valid in the next slot. Returns false if the follower needs to
   * pull, because it lacks messages or the message does not fit.
   */
  push(stored: StoredMessage): boolean {
    const { slot } = this.#reader.position;
    if (stored.slot <= slot || this.#stopped !== undefined) return true;
    if (stored.slot !== slot + 1 || !this.#reader.isNext(stored.message)) return false;
    this.#read(stored);
    return true;
  }

  /** Reads the following messages. `done` receives the number of messages that were new; 0 proves nothing. */
  pull(done: (count: number) => void): void {
    const asked = this.#reader.position;
    const isNear = asked.validSlot > 0 && asked.slot - asked.validSlot < READ_MESSAGES / 2;
    const from = isNear ? asked.validSlot : asked.slot + 1;
    this.#options.log.read(from, READ_MESSAGES, (messages) => {
      const before = this.#reader.position.slot;
      if (this.#stopped === undefined) {
        this.#countEmpty(messages.length === 0);
        this.#readAll(asked, from, messages);
      }
      done(this.#reader.position.slot - before);
    });
  }

  #readAll(asked: ChainPosition, from: Slot, messages: readonly StoredMessage[]): void {
    const [first] = messages;
    if (first === undefined) return;
    if (first.slot > from) this.#stop({ kind: 'trimmed', first: first.slot });
    else if (from === asked.validSlot && !isLastValid(first.message, asked))
      this.#stop({ kind: 'forked', slot: from });
    for (const stored of messages) {
      if (this.#stopped !== undefined) return;
      // A message may have been pushed since the read began.
      if (stored.slot > this.#reader.position.slot) this.#read(stored);
    }
  }

  /** After several reads without a message, asks whether the log has the last valid message of the node at all. */
  #countEmpty(isEmpty: boolean): void {
    this.#emptyReads = isEmpty ? this.#emptyReads + 1 : 0;
    if (!isEmpty) this.#rewoundAtMs = undefined;
    if (this.#emptyReads < EMPTY_READS || this.#isAskingExtent) return;
    this.#isAskingExtent = true;
    this.#options.log.extent((extent) => {
      this.#isAskingExtent = false;
      if (extent !== undefined && this.#emptyReads > 0 && this.#stopped === undefined)
        this.#checkExtent(extent);
    });
  }

  #checkExtent({ last }: LogExtent): void {
    const { validSlot } = this.#reader.position;
    const nowMs = this.#options.timers.elapsedMs();
    if (last >= validSlot) this.#rewoundAtMs = undefined;
    else {
      this.#rewoundAtMs ??= nowMs;
      if (nowMs - this.#rewoundAtMs >= REWOUND_MS) this.#stop({ kind: 'rewound', last, validSlot });
    }
  }

  #read(stored: StoredMessage): void {
    const reading = this.#reader.read(stored);
    switch (reading.kind) {
      case 'unreadable':
        this.#stop({ kind: 'unreadable', slot: stored.slot, reason: reading.reason });
        return;
      case 'dead':
        this.#deadMessages += 1;
        break;
      case 'record':
        if (!this.#apply(reading.record)) return;
        break;
      case 'chunk':
        break;
      default:
        reading satisfies never;
    }
    this.#options.onRead(stored, reading.kind);
  }

  #apply({ slot, body: bytes }: LogRecord): boolean {
    const body = decodeBody(bytes);
    if (typeof body === 'string') this.#stop({ kind: 'unreadable', slot, reason: body });
    else if (body.kind === 'base') this.#stop({ kind: 'trimmed', first: slot + 1 });
    else this.#options.view.apply(body, this.#reader.boundary);
    return this.#stopped === undefined;
  }

  #stop(reason: StopReason): void {
    this.#stopped = reason;
    this.#options.onStop(reason);
  }
}
