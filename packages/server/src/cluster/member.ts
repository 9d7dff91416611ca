import { decodeBulletin, encodeHeartbeat, encodeStored, type Heartbeat } from './bulletin.ts';
import { Election, type LiveNode } from './election.ts';
import type { Slot } from './replicated-log.ts';
import { Sequencer, type SequencerOptions } from './sequencer.ts';

export interface MemberOptions extends Omit<SequencerOptions, 'onCommit'> {
  readonly shard: string;
  /** Where other nodes reach this one. */
  readonly address?: string;
  /** Returns whether the node has recently failed to store a snapshot. */
  readonly failsSnapshots?: () => boolean;
  /** Called when a heartbeat of the node's term has come back. */
  readonly onCurrent?: () => void;
  /** Called when the first heartbeat of a newer term has arrived. */
  readonly onNewLeader?: () => void;
  /** Returns whether the node accepts links. */
  readonly isServing?: () => boolean;
  /** Called when the leader that is known begins to accept links. */
  readonly onServing?: () => void;
  /** Called when an operator asks this node, which leads, to let another one lead. */
  readonly onHandOver?: (successor: string) => void;
  /** Called when no heartbeat of a leader has arrived for a long time. */
  readonly onSilence?: () => void;
}

const HEARTBEAT_MS = 250;

/** Interval at which a node reads the log without a bulletin, because bulletins can be lost. */
const PULL_MS = 1_500;

/**
 * How long a heartbeat that came back proves that no other node has waited long enough to claim the term. Less than the
 * silence after which other nodes claim it.
 */
const LEASE_MS = 1_000;

/** If messages are pending and none was committed for this long, the sequencer lets other nodes claim the term. */
const STUCK_MS = 2_500;

/**
 * Time without a heartbeat of the leader after which a node that follows no longer knows which node leads. A link to
 * the last leader may be dead.
 */
const MAX_LEADER_SILENCE_MS = 30_000;

/** Time for which the log waits for a node that was heard. Later, the node may have to load a snapshot. */
const AWAITED_MS = 3_600_000;

/** One node's part in a shard: it follows the log, and is the sequencer when the others expect it to be. */
export class Member {
  readonly #options: MemberOptions;
  readonly #sequencer: Sequencer;
  readonly #election: Election;
  readonly #unsubscribe: () => void;
  #cancelTick: () => void = () => undefined;
  #pulledAtMs: number;
  /** When a bulletin arrived last, or the node began to listen. */
  #heardAtMs: number;
  /** When the node sent the last heartbeat of its term that has come back to it. */
  #echoedMs = Number.NEGATIVE_INFINITY;
  /** The newest term of which a heartbeat has arrived. */
  #heardEpoch = 0;
  /** The last heartbeat of the newest sequencer, unless it has released its term. */
  #leader: Heartbeat | undefined;
  /** When `#leader` arrived. */
  #leaderAtMs = 0;
  /** When a leader whose server is open was heard last. */
  #servedAtMs: number | undefined;
  #isClosed = false;
  /** The last term of this node that the others know. */
  #announcedEpoch: number | undefined;

  constructor(options: MemberOptions) {
    this.#options = options;
    const { log, timers, shard, node } = options;
    this.#sequencer = new Sequencer({
      ...options,
      onCommit: (stored) => {
        log.publish(encodeStored(stored));
        this.#announceTerm();
      },
    });
    const nowMs = timers.elapsedMs();
    this.#election = new Election({ shard, node }, nowMs);
    this.#pulledAtMs = nowMs;
    this.#heardAtMs = nowMs;
    this.#unsubscribe = log.subscribe((bytes) => this.#receive(bytes));
    this.#sequencer.pull();
    this.#scheduleTick();
  }

  get sequencer(): Sequencer {
    return this.#sequencer;
  }

  /**
   * The last heartbeat of the node in its term; `undefined` if none is known, or none has arrived for a long time. The node
   * may have ended since.
   */
  get leader(): Heartbeat | undefined {
    return this.#leader;
  }

  /**
   * Whether the node's term is probably the newest one. False if the node was frozen or cut off for a second, during
   * which another one may have begun to lead.
   */
  get isCurrent(): boolean {
    return (
      this.#sequencer.epoch !== undefined && this.#options.timers.elapsedMs() - this.#echoedMs < LEASE_MS
    );
  }

  /** How long the node has received no bulletin, in ms. It receives its own, unless it is cut off. */
  get silentMs(): number {
    return this.#options.timers.elapsedMs() - this.#heardAtMs;
  }

  /** Whether the other nodes expect this one to store snapshots. */
  get isKeeper(): boolean {
    const { epoch, follower } = this.#sequencer;
    const own = { isLeading: epoch !== undefined, failsSnapshots: this.#failsSnapshots };
    return follower.stopped === undefined && this.#election.isKeeper(own, this.#options.timers.elapsedMs());
  }

  /** Time since a leader whose server is open was heard, in ms; 0 if none was. */
  get unservedMs(): number {
    return this.#servedAtMs === undefined ? 0 : this.#options.timers.elapsedMs() - this.#servedAtMs;
  }

  /** Returns the nodes that were heard recently and can read on, this one first. */
  listNodes(): readonly LiveNode[] {
    const { slot: head } = this.#sequencer.follower.position;
    const own = { node: this.#options.node, head, failsSnapshots: this.#failsSnapshots };
    return [own, ...this.#election.listNodes(this.#options.timers.elapsedMs())];
  }

  get #failsSnapshots(): boolean {
    return this.#options.failsSnapshots?.() ?? false;
  }

  /** The lowest slot up to which a node has read that was heard in the last hour. */
  get lowestHead(): Slot {
    const others = this.#election.lowestHead(AWAITED_MS, this.#options.timers.elapsedMs());
    return Math.min(others, this.#sequencer.follower.position.slot);
  }

  /** Returns the node that should lead next: the named one, or the first that can. `undefined` if there is none. */
  findSuccessor(name: string): string | undefined {
    const { slot } = this.#sequencer.follower.position;
    return this.#election.findSuccessor(name, slot, this.#options.timers.elapsedMs());
  }

  /** Ends the term, and lets another node claim immediately: the named one, or the first of the others. */
  release(successor = ''): void {
    const { epoch } = this.#sequencer;
    if (epoch === undefined) return;
    this.#sequencer.stepDown();
    this.#publishHeartbeat(epoch, { successor });
  }

  /** Tells the other nodes the state of this one now. */
  announce(): void {
    this.#publishHeartbeat(this.#sequencer.epoch ?? 0);
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
    if (this.#leader !== undefined && nowMs - this.#leaderAtMs > MAX_LEADER_SILENCE_MS) {
      this.#leader = undefined;
      this.#options.onSilence?.();
    }
    if (sequencer.pendingMs < STUCK_MS) this.#publishHeartbeat(sequencer.epoch ?? 0);
    if (sequencer.follower.stopped !== undefined) return;
    this.#claimIfExpected();
    if (nowMs - this.#pulledAtMs < PULL_MS) return;
    this.#pulledAtMs = nowMs;
    sequencer.pull();
  }

  #claimIfExpected(): void {
    const { position, stopped } = this.#sequencer.follower;
    if (stopped !== undefined) return;
    if (this.#election.shouldClaim(position.slot, this.#options.timers.elapsedMs())) this.#sequencer.claim();
  }

  /** Announces a term that has just begun to the other nodes, before they claim one too. */
  #announceTerm(): void {
    const { epoch } = this.#sequencer;
    if (epoch === undefined || epoch === this.#announcedEpoch) return;
    this.#announcedEpoch = epoch;
    this.#publishHeartbeat(epoch);
  }

  #publishHeartbeat(epoch: number, released?: { readonly successor: string }): void {
    const { log, node, incarnation, address = '', timers } = this.#options;
    const { position, stopped } = this.#sequencer.follower;
    log.publish(
      encodeHeartbeat({
        node,
        incarnation,
        address,
        sentMs: timers.elapsedMs(),
        head: position.slot,
        hasStopped: stopped !== undefined,
        failsSnapshots: this.#failsSnapshots,
        epoch,
        isServing: released === undefined && epoch > 0 && (this.#options.isServing?.() ?? false),
        hasReleased: released !== undefined,
        successor: released?.successor ?? '',
      }),
    );
  }

  #receive(bytes: Buffer): void {
    const bulletin = this.#isClosed ? undefined : decodeBulletin(bytes);
    if (bulletin === undefined) return;
    this.#heardAtMs = this.#options.timers.elapsedMs();
    if (bulletin.kind === 'message') {
      this.#sequencer.receive(bulletin.stored);
      return;
    }
    if (bulletin.kind === 'hand-over') {
      if (this.#sequencer.epoch !== undefined) this.#options.onHandOver?.(bulletin.successor);
      return;
    }
    const { heartbeat } = bulletin;
    this.#election.hear(heartbeat, this.#options.timers.elapsedMs());
    this.#trackLeader(heartbeat);
    // A node receives its own heartbeats, too.
    if (heartbeat.node === this.#options.node) {
      this.#receiveOwn(heartbeat);
      return;
    }
    const { epoch } = this.#sequencer.follower.position;
    // A node that is claiming stops for a node whose term it has just read.
    const isNewest = heartbeat.epoch > 0 && heartbeat.epoch === epoch && !heartbeat.hasReleased;
    if (heartbeat.epoch > epoch || (isNewest && this.#sequencer.isClaiming)) this.#sequencer.stepDown();
    if (heartbeat.hasReleased) this.#claimIfExpected();
    if (!heartbeat.hasStopped && heartbeat.head > this.#sequencer.follower.position.slot)
      this.#sequencer.pull();
  }

  #receiveOwn({ incarnation, epoch, sentMs }: Heartbeat): void {
    if (incarnation !== this.#options.incarnation || epoch !== this.#sequencer.epoch) return;
    this.#echoedMs = Math.max(this.#echoedMs, sentMs);
    this.#options.onCurrent?.();
  }

  #trackLeader(heartbeat: Heartbeat): void {
    const { node, epoch, isServing, hasReleased } = heartbeat;
    if (epoch > 0 && epoch >= (this.#leader?.epoch ?? 0)) {
      const wasServing = this.#leader?.epoch === epoch && this.#leader.isServing;
      this.#leader = hasReleased ? undefined : heartbeat;
      this.#leaderAtMs = this.#options.timers.elapsedMs();
      if (isServing || wasServing) this.#servedAtMs = this.#leaderAtMs;
      if (isServing && !wasServing) this.#options.onServing?.();
    }
    // A node that still sends heartbeats and claims no term has ended its term.
    else if (node === this.#leader?.node) this.#leader = undefined;
    if (epoch <= this.#heardEpoch) return;
    this.#heardEpoch = epoch;
    this.#options.onNewLeader?.();
  }
}
