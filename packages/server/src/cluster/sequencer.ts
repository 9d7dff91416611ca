import { encodeEpoch } from './body.ts';
import type { ValidityRule } from './chain.ts';
import { type Applied, Follower, type StopReason, type View } from './follower.ts';
import { type ChainHash, encodeRecord } from './message.ts';
import type { AppendOutcome, ReplicatedLog, Slot, StoredMessage } from './replicated-log.ts';
import type { Timers } from './timers.ts';

/** The decisions of one evaluation. */
export interface Proposal {
  /** The effects; `null` if there are only decisions without effects, such as rejections. */
  readonly body: Buffer | null;
  /**
   * Reports whether the state on which the decisions were made, including the effects, is committed, or this proposal
   * will never commit it. No decision may be sent before, because it may depend on a state that never exists.
   */
  settle(isCommitted: boolean): void;
}

/** Evaluates requests for a sequencer. */
export interface Proposer {
  /** The term has begun: the node has applied everything before it. Must not propose before it returns. */
  beginTerm?(): void;
  /**
   * Evaluates the waiting requests on the view and on all proposals that are not settled, in order. Returns
   * `undefined` if no request waits.
   */
  next(): Proposal | undefined;
  /** The term of the node ended, and all proposals are settled. The waiting requests must go to another node. */
  endTerm(): void;
}

export interface SequencerOptions {
  /** Name of the node, unique in the cluster. */
  readonly node: string;
  /** Changes with each start of the node. */
  readonly incarnation: string;
  readonly log: ReplicatedLog;
  readonly view: View;
  readonly proposer: Proposer;
  readonly timers: Timers;
  readonly rule?: ValidityRule | undefined;
  /** Longest body of one message. Simulations use less. */
  readonly maxBodyBytes?: number | undefined;
  /** Receives each message that the sequencer has committed, to send it to the other nodes. */
  readonly onCommit: (stored: StoredMessage) => void;
  readonly onStop: (reason: StopReason) => void;
}

/** Maximum number of messages in flight. */
export const MAX_IN_FLIGHT_MESSAGES = 4;

/** How long a sequencer waits before it tries again to settle an append whose outcome it does not know. */
const SETTLE_PAUSE_MS = 50;

/** A message of this sequencer that is not committed yet. */
interface Pending {
  readonly bytes: Buffer;
  /** The chain hash after this message. */
  readonly hash: ChainHash;
  /** The slot for which it was last sent; 0 before the first time. */
  slot: Slot;
  state: 'waiting' | 'in-flight' | 'stored';
  /** Proposals that are settled with it. */
  readonly proposals: Proposal[];
}

/** The state of the sequencer's term. `claiming` until its epoch record is committed. */
type Term = { readonly kind: 'none' | 'claiming' | 'active'; readonly epoch: number };

/**
 * Decides and appends the records of a shard while it is in its term, and follows the log otherwise. Two sequencers at
 * once do no harm: the validity rule makes the messages of one of them dead.
 *
 * An append that is stored is not committed. A message is committed when it and every earlier message in flight were
 * stored in their own slots, or when the node reads it in the log as valid.
 */
export class Sequencer {
  readonly #options: SequencerOptions;
  readonly #follower: Follower;
  #term: Term = { kind: 'none', epoch: 0 };
  /** In the order of the chain; at most `MAX_IN_FLIGHT_MESSAGES`, or one record. */
  #pending: Pending[] = [];
  /** Number of append calls that have not returned. A call may belong to an earlier term. */
  #calls = 0;
  /** Whether an append was not stored, and the sequencer reads the log to find which of its messages are stored. */
  #isSettling = false;
  #isPulling = false;
  /** When a message last became pending while no other was, or when a message was last committed. */
  #pendingSinceMs = 0;

  constructor(options: SequencerOptions) {
    this.#options = options;
    const { log, view, timers, rule, onStop } = options;
    this.#follower = new Follower({
      log,
      view,
      timers,
      rule,
      onRead: (stored, applied) => this.#onRead(stored, applied),
      onStop: (reason) => {
        // First, so that the end of the term is not taken for an ordinary one.
        onStop(reason);
        this.stepDown();
      },
    });
  }

  get follower(): Follower {
    return this.#follower;
  }

  /** The epoch of the term; `undefined` outside of a term, and until the term is claimed. */
  get epoch(): number | undefined {
    return this.#term.kind === 'active' ? this.#term.epoch : undefined;
  }

  /** Whether the node wants to begin a term. */
  get isClaiming(): boolean {
    return this.#term.kind === 'claiming';
  }

  /** How long nothing was committed while messages were pending, in ms; 0 if none are. */
  get pendingMs(): number {
    return this.#pending.length === 0 ? 0 : this.#options.timers.elapsedMs() - this.#pendingSinceMs;
  }

  /** Begins a term, unless one has begun: reads the log to its end and appends an epoch record. */
  claim(): void {
    if (this.#term.kind !== 'none' || this.#follower.stopped !== undefined) return;
    this.#term = { kind: 'claiming', epoch: 0 };
    this.#isSettling = true;
    this.#settle();
  }

  /** Ends the term. Messages in flight may still become valid, and are then applied like those of another node. */
  stepDown(): void {
    if (this.#term.kind === 'none') return;
    this.#term = { kind: 'none', epoch: 0 };
    this.#isSettling = false;
    const dropped = this.#pending;
    this.#pending = [];
    for (const { proposals } of dropped) for (const proposal of proposals) proposal.settle(false);
    this.#options.proposer.endTerm();
  }

  /** Applies a message that another node sent, or reads the log if it does not fit. */
  receive(stored: StoredMessage): void {
    if (!this.#follower.push(stored)) this.pull();
  }

  /** Reads the log to its end. */
  pull(): void {
    if (this.#isPulling || this.#isSettling) return;
    this.#isPulling = true;
    this.#follower.pull((count) => {
      this.#isPulling = false;
      if (this.#isSettling) this.#settle();
      else if (count > 0) this.pull();
    });
  }

  /** Appends the next proposals. Called when requests have arrived. */
  wake(): void {
    if (this.#term.kind !== 'active' || this.#isSettling) return;
    while (this.#pending.length < MAX_IN_FLIGHT_MESSAGES) {
      const proposal = this.#options.proposer.next();
      if (proposal === undefined) break;
      if (proposal.body !== null) this.#enqueue(proposal.body);
      const last = this.#pending.at(-1);
      if (last === undefined) proposal.settle(true);
      else last.proposals.push(proposal);
    }
    this.#send();
  }

  #enqueue(body: Buffer): void {
    const prevHash = this.#pending.at(-1)?.hash ?? this.#follower.position.hash;
    if (this.#pending.length === 0) this.#pendingSinceMs = this.#options.timers.elapsedMs();
    for (const { bytes, hash } of encodeRecord(this.#term.epoch, prevHash, body, this.#options.maxBodyBytes))
      this.#pending.push({ bytes, hash, slot: 0, state: 'waiting', proposals: [] });
  }

  /** Sends waiting messages, each to the slot after the one before it. */
  #send(): void {
    const base = this.#follower.position.slot;
    const limit = this.#isSettling ? 1 : MAX_IN_FLIGHT_MESSAGES;
    this.#pending.slice(0, limit).forEach((message, index) => {
      if (message.state === 'waiting') this.#append(message, base + index);
    });
  }

  #append(message: Pending, expectedLast: number): void {
    message.state = 'in-flight';
    message.slot = expectedLast + 1;
    this.#calls += 1;
    this.#options.log.append(expectedLast, message.bytes, (outcome) => {
      this.#calls -= 1;
      this.#onOutcome(message, outcome);
    });
  }

  #onOutcome(message: Pending, outcome: AppendOutcome): void {
    // A message that was dropped, or found in the log, is not pending.
    if (this.#pending.includes(message)) {
      message.state = outcome.kind === 'stored' ? 'stored' : 'waiting';
      if (outcome.kind !== 'stored') this.#isSettling = true;
      else if (!this.#isSettling || this.#pending[0] === message) this.#commitStored();
    }
    if (!this.#isSettling) this.wake();
    else if (this.#calls === 0) this.#settle();
  }

  /** Commits the messages at the beginning that are stored in their slots. */
  #commitStored(): void {
    for (let first = this.#pending[0]; first?.state === 'stored'; first = this.#pending[0]) {
      // The message continues the chain, because all messages before it are committed.
      const isNext = first.slot === this.#follower.position.slot + 1;
      if (isNext && this.#follower.push({ slot: first.slot, message: first.bytes })) continue;
      this.#isSettling = true;
      return;
    }
  }

  /** Handles each applied message, including the sequencer's own messages. */
  #onRead(stored: StoredMessage, applied: Applied): void {
    if (applied === 'dead' || this.#term.kind === 'none') return;
    const [first] = this.#pending;
    if (first === undefined || !first.bytes.equals(stored.message)) {
      // A valid message of another sequencer makes everything that is pending dead.
      if (this.#term.kind === 'active' || first !== undefined) this.stepDown();
      return;
    }
    this.#pending.shift();
    this.#pendingSinceMs = this.#options.timers.elapsedMs();
    if (this.#term.kind === 'claiming') {
      this.#term = { kind: 'active', epoch: this.#term.epoch };
      this.#options.proposer.beginTerm?.();
    }
    this.#options.onCommit(stored);
    for (const proposal of first.proposals) proposal.settle(true);
  }

  /**
   * Reads the log to its end. Then appends the oldest pending message again, with the same bytes, if it is not there:
   * only another message in the slot proves that an append has failed.
   */
  #settle(): void {
    if (this.#isPulling || this.#calls > 0) return;
    // A message that is stored in its slot, after one that is not, is dead there.
    for (const message of this.#pending) message.state = 'waiting';
    this.#isPulling = true;
    this.#follower.pull((count) => {
      this.#isPulling = false;
      // The term may have ended.
      if (!this.#isSettling) {
        if (count > 0) this.pull();
      } else if (count > 0) this.#settle();
      else if (this.#calls === 0) this.#tryAgain();
    });
  }

  #tryAgain(): void {
    if (this.#term.kind === 'claiming' && this.#pending.length === 0) {
      this.#term = { kind: 'claiming', epoch: this.#follower.position.epoch + 1 };
      const { node, incarnation } = this.#options;
      this.#enqueue(encodeEpoch({ node, incarnation }));
      this.#send();
    } else if (this.#pending.length === 0) {
      this.#isSettling = false;
      this.wake();
    } else {
      const before = this.#term;
      this.#options.timers.after(SETTLE_PAUSE_MS, () => {
        if (this.#term !== before || !this.#isSettling || this.#calls > 0 || this.#isPulling) return;
        this.#send();
      });
    }
  }
}
