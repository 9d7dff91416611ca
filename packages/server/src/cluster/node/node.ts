import type { Logger } from '../../platform/logger.ts';
import type { KvStore } from '../../storage/kv/store.ts';
import type { Heartbeat } from '../bulletin.ts';
import type { LiveNode } from '../election.ts';
import type { StopReason } from '../follower.ts';
import { Member } from '../member.ts';
import type { ReplicatedLog } from '../replicated-log.ts';
import { SnapshotKeeper, type SnapshotKeeperOptions } from '../snapshots/keeper.ts';
import type { Timers } from '../timers.ts';
import { ReplicatedStore } from './replicated-store.ts';

export interface ClusterNodeOptions
  extends Pick<SnapshotKeeperOptions, 'storage' | 'identity' | 'keptMessages' | 'createId' | 'copyStore'> {
  readonly store: KvStore;
  readonly log: ReplicatedLog;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Name of the node, unique in the cluster. */
  readonly name: string;
  /** Differs at each start; 16 hexadecimal digits. */
  readonly incarnation: string;
  /** Where other nodes reach this one. */
  readonly address: string;
  /** Called when a newer term is known, of this node or another. */
  readonly onNewLeader: () => void;
  /** Returns whether the server of this node is open. */
  readonly isServing: () => boolean;
  /** Called when the server of the node that leads is open. */
  readonly onServing: () => void;
  /** Called when an operator asks this node, which leads, to let another one lead. */
  readonly onHandOver: (successor: string) => void;
  /** Called when this node is cut off from the leader, or there is none. */
  readonly onSilence: () => void;
  /** Called when the node begins to lead. */
  readonly onLead: () => void;
  /** Called several times per second while the node follows, when the store contains what the node has read. */
  readonly onStored: () => void;
  /**
   * Called when the process must start again, because memory and store contain changes that are not committed, or
   * because no change has been committed for a long time.
   */
  readonly onLost: (reason: string) => void;
  /** Called when the node cannot read on. `isLeading` means that memory and store may contain changes that are not committed. */
  readonly onStop: (reason: StopReason, isLeading: boolean) => void;
}

/** Name of the only shard: all databases and accounts of the cluster. */
export const SHARD = '0';

/** Interval at which a node stores what it has read, and checks its progress. */
const TICK_MS = 250;

/** Time without progress after which a node that leads starts again, and so closes the connections of its clients. */
const MAX_STUCK_MS = 30_000;

/** How long a node that ends its term waits until its last writes are committed. The next start reverts others. */
const MAX_COMMIT_MS = 5_000;

/** One node of a cluster: its store, and its part in the log. */
export class ClusterNode {
  readonly #options: ClusterNodeOptions;
  readonly #member: Member;
  readonly store: ReplicatedStore;
  readonly #keeper: SnapshotKeeper;
  #isLeading = false;
  #isOver = false;
  #cancelTick: () => void = () => undefined;

  constructor(options: ClusterNodeOptions) {
    this.#options = options;
    const { store, log, timers, name, incarnation, address } = options;
    this.store = new ReplicatedStore({
      store,
      incarnation,
      isCurrent: () => this.#member.isCurrent,
      onBatch: () => this.#propose(),
      onLead: () => {
        this.#isLeading = true;
        options.onLead();
      },
      onLost: () => this.#lose('another node leads'),
    });
    this.#member = new Member({
      shard: SHARD,
      node: name,
      incarnation,
      address,
      log,
      timers,
      view: this.store,
      proposer: this.store,
      failsSnapshots: () => this.#keeper.isFailing,
      onNewLeader: options.onNewLeader,
      onSilence: options.onSilence,
      isServing: options.isServing,
      onServing: options.onServing,
      onHandOver: options.onHandOver,
      onCurrent: () => this.store.gate.renew(),
      onStop: (reason) => {
        this.#isOver = true;
        // The store may be set aside, with everything that the node has read.
        this.store.persist();
        options.onStop(this.#explain(reason), this.#isLeading);
      },
    });
    this.#keeper = new SnapshotKeeper({
      ...options,
      isResponsible: () => !this.#isOver && this.#member.isKeeper,
      lowestHead: () => this.#member.lowestHead,
    });
    this.#scheduleTick();
  }

  /** The last heartbeat of the node that leads; `undefined` if none is known. */
  get leader(): Heartbeat | undefined {
    return this.#member.leader;
  }

  /** Slot up to which the node has read the log. */
  get head(): number {
    return this.#member.sequencer.follower.position.slot;
  }

  /** Time since a leader whose server is open was heard, in ms; 0 if none was. */
  get unservedMs(): number {
    return this.#member.unservedMs;
  }

  /** Returns the number of the term of this node, 0 outside of one, and the nodes that were heard recently. */
  describe(): { readonly term: number; readonly nodes: readonly LiveNode[] } {
    return { term: this.#member.sequencer.epoch ?? 0, nodes: this.#member.listNodes() };
  }

  /** Returns the node that should lead next: the named one, or the first that can. `undefined` if there is none. */
  findSuccessor(name: string): string | undefined {
    return this.#member.findSuccessor(name);
  }

  /** Tells the other nodes that the server of this one is open. */
  announce(): void {
    this.#member.announce();
  }

  /**
   * Ends the term when everything is committed, and follows again. `successor` claims the term. Nothing may use the store for
   * transactions any more. Calls `done` afterwards.
   */
  handOver(successor: string, done: () => void): void {
    this.whenCommitted(() => {
      if (this.#isOver) done();
      else if (this.store.release()) {
        this.#isLeading = false;
        this.#member.release(successor);
        done();
      } else this.#lose('the log has not stored what this node has executed');
    });
  }

  /** Calls `done` when everything that was executed is committed, or after some seconds. */
  whenCommitted(done: () => void): void {
    let isDone = false;
    const finish = (): void => {
      if (isDone) return;
      isDone = true;
      cancel();
      done();
    };
    const cancel = this.#options.timers.after(MAX_COMMIT_MS, finish);
    this.store.gate.whenCommitted(finish);
  }

  /** Ends the part of a node that does not lead in the log, so that it does not begin to lead while it is closed. */
  retire(): void {
    if (!this.#isLeading) this.#leave();
  }

  /** Lets another node lead. Everything must be committed before. */
  async close(): Promise<void> {
    this.#leave();
    await this.#keeper.close();
  }

  #leave(): void {
    this.#isOver = true;
    this.#cancelTick();
    this.#member.release();
    this.#member.close();
  }

  /** A log that ends too early while another node leads a newer term has other messages in place of those of this node. */
  #explain(reason: StopReason): StopReason {
    const { leader, sequencer } = this.#member;
    const isReplaced =
      reason.kind === 'rewound' && leader !== undefined && leader.epoch > sequencer.follower.position.epoch;
    return isReplaced ? { kind: 'forked', slot: reason.last } : reason;
  }

  #scheduleTick(): void {
    this.#cancelTick = this.#options.timers.after(TICK_MS, () => {
      this.#tick();
      if (!this.#isOver) this.#scheduleTick();
    });
  }

  #tick(): void {
    if (this.#isOver) return;
    this.store.persist();
    if (!this.#isLeading) {
      this.#options.onStored();
      return;
    }
    const stuckMs = Math.max(this.#member.sequencer.pendingMs, this.#member.silentMs);
    if (stuckMs > MAX_STUCK_MS)
      this.#lose(`the log has not answered for ${Math.round(stuckMs / 1_000)} seconds`);
  }

  /** Never throws: the transaction is executed, and its caller would execute it again. */
  #propose(): void {
    try {
      this.#member.sequencer.wake();
    } catch (error) {
      this.#options.logger.error({ err: error }, 'a record could not be proposed');
      this.#lose('a record could not be proposed');
    }
  }

  #lose(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.onLost(reason);
  }
}
