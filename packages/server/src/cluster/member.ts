import { decodeBulletin, encodeHeartbeat, encodeStored } from './bulletin.ts';
import { Election } from './election.ts';
import { Sequencer, type SequencerOptions } from './sequencer.ts';

export interface MemberOptions extends Omit<SequencerOptions, 'onCommit'> {
  readonly shard: string;
}

const HEARTBEAT_MS = 250;

/** Interval at which a node reads the log without a bulletin, because bulletins can be lost. */
const PULL_MS = 1_500;

/** If messages are pending and none was committed for this long, the sequencer lets other nodes claim the term. */
const STUCK_MS = 2_500;

/** One node's part in a shard: it follows the log, and is the sequencer when the others expect it to be. */
export class Member {
  readonly #options: MemberOptions;
  readonly #sequencer: Sequencer;
  readonly #election: Election;
  readonly #unsubscribe: () => void;
  #cancelTick: () => void = () => undefined;
  #pulledAtMs: number;
  #isClosed = false;

  constructor(options: MemberOptions) {
    this.#options = options;
    const { log, timers, shard, node } = options;
    this.#sequencer = new Sequencer({
      ...options,
      onCommit: (stored) => log.publish(encodeStored(stored)),
    });
    const nowMs = timers.elapsedMs();
    this.#election = new Election({ shard, node }, nowMs);
    this.#pulledAtMs = nowMs;
    this.#unsubscribe = log.subscribe((bytes) => this.#receive(bytes));
    this.#sequencer.pull();
    this.#scheduleTick();
  }

  get sequencer(): Sequencer {
    return this.#sequencer;
  }

  /** Ends the term, and lets the next node claim immediately. */
  release(): void {
    const { epoch } = this.#sequencer;
    if (epoch === undefined) return;
    this.#sequencer.stepDown();
    this.#publishHeartbeat(epoch, true);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTick();
    this.#unsubscribe();
    this.#sequencer.stepDown();
  }

  #scheduleTick(): void {
    this.#cancelTick = this.#options.timers.after(HEARTBEAT_MS, () => {
      this.#tick();
      if (!this.#isClosed) this.#scheduleTick();
    });
  }

  #tick(): void {
    const sequencer = this.#sequencer;
    const nowMs = this.#options.timers.elapsedMs();
    if (sequencer.pendingMs < STUCK_MS) this.#publishHeartbeat(sequencer.epoch ?? 0, false);
    if (sequencer.follower.stopped !== undefined) return;
    if (this.#election.shouldClaim(sequencer.follower.position.slot, nowMs)) sequencer.claim();
    if (nowMs - this.#pulledAtMs < PULL_MS) return;
    this.#pulledAtMs = nowMs;
    sequencer.pull();
  }

  #publishHeartbeat(epoch: number, hasReleased: boolean): void {
    const { log, node, incarnation } = this.#options;
    const head = this.#sequencer.follower.position.slot;
    log.publish(encodeHeartbeat({ node, incarnation, head, epoch, hasReleased }));
  }

  #receive(bytes: Buffer): void {
    const bulletin = this.#isClosed ? undefined : decodeBulletin(bytes);
    if (bulletin === undefined) return;
    if (bulletin.kind === 'message') {
      this.#sequencer.receive(bulletin.stored);
      return;
    }
    const { heartbeat } = bulletin;
    this.#election.hear(heartbeat, this.#options.timers.elapsedMs());
    // A node receives its own heartbeats, too.
    if (heartbeat.node === this.#options.node) return;
    if (heartbeat.epoch > this.#sequencer.follower.position.epoch) this.#sequencer.stepDown();
    if (heartbeat.head > this.#sequencer.follower.position.slot) this.#sequencer.pull();
  }
}
