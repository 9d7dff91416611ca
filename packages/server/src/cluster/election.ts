import { createHash } from 'node:crypto';
import type { Heartbeat } from './bulletin.ts';
import type { Slot } from './replicated-log.ts';

export interface ElectionOptions {
  readonly shard: string;
  readonly node: string;
}

/** Time without a heartbeat of a sequencer after which the first node in the order claims the term. */
const SILENCE_MS = 1_200;

/** Additional time that each following node in the order waits, so that usually only one node claims. */
const RANK_MS = 300;

/** Time without a heartbeat of a node after which the others do not wait for it. */
const NODE_SILENCE_MS = 2_000;

/** Number of messages that a node may lack that is to lead next. It reads them before it leads. */
const MAX_BEHIND = 1_000;

/** Maximum number of other nodes that are remembered. The one that was heard longest ago is forgotten. */
const MAX_REMEMBERED_NODES = 64;

interface HeardNode {
  readonly head: Slot;
  readonly atMs: number;
  readonly hasStopped: boolean;
  readonly failsSnapshots: boolean;
  readonly isLeading: boolean;
}

/** A node that was heard recently and can read on. */
export interface LiveNode {
  readonly node: string;
  readonly head: Slot;
  readonly failsSnapshots: boolean;
}

/** The part of a node in the snapshots. */
type KeeperState = Pick<HeardNode, 'isLeading' | 'failsSnapshots'>;

/**
 * Decides when a node should claim the term of a shard. It gives progress, not safety: any number of nodes may claim at
 * once. Pure: the caller passes the time.
 */
export class Election {
  readonly #options: ElectionOptions;
  readonly #nodes = new Map<string, HeardNode>();
  /** When a sequencer was heard last, or the node began to listen. */
  #sequencerAtMs: number;
  /** The newest epoch of a sequencer that was heard. */
  #epoch = 0;
  /** Whether the last term was released, and to which node; empty if to the first of the others. */
  #released: { readonly successor: string } | undefined;

  constructor(options: ElectionOptions, nowMs: number) {
    this.#options = options;
    this.#sequencerAtMs = nowMs;
  }

  hear(heartbeat: Heartbeat, nowMs: number): void {
    const { node, head, epoch, hasStopped, failsSnapshots, hasReleased, successor } = heartbeat;
    const isOwn = node === this.#options.node;
    const isLeading = epoch > 0 && !hasReleased;
    if (!isOwn) this.#remember(node, { head, atMs: nowMs, hasStopped, failsSnapshots, isLeading });
    // The node that released the term waits as after any silence, so that another node gets the term.
    if (hasReleased && epoch >= this.#epoch && !isOwn) {
      this.#released = { successor };
      if (successor !== '') this.#sequencerAtMs = nowMs;
    } else if (epoch > 0 && epoch >= this.#epoch) {
      this.#sequencerAtMs = nowMs;
      this.#released = undefined;
    }
    this.#epoch = Math.max(this.#epoch, epoch);
  }

  /** Returns whether the node should claim the term. It should not while another node has read more of the log. */
  shouldClaim(head: Slot, nowMs: number): boolean {
    // It reads to the end of the log before it claims.
    if (this.#released?.successor === this.#options.node) return true;
    const live = this.#liveNodes(nowMs);
    if (live.some(([, heard]) => heard.head > head)) return false;
    const score = this.#score(this.#options.node);
    const rank = live.filter(([node]) => this.#score(node) > score).length;
    const silenceMs = this.#released?.successor === '' ? 0 : SILENCE_MS;
    return nowMs - this.#sequencerAtMs >= silenceMs + rank * RANK_MS;
  }

  /**
   * Returns whether this node stores the snapshots. Of the nodes that do not fail to store them, it is the first live one
   * that follows, or the leader if none follows. If all fail, they are chosen from in the same way. If all nodes hear each
   * other, this is true on one node at a time.
   */
  isKeeper(own: KeeperState, nowMs: number): boolean {
    const others = this.#liveNodes(nowMs);
    const all: readonly (readonly [string, KeeperState])[] = [...others, [this.#options.node, own]];
    const able = all.filter(([, { failsSnapshots }]) => !failsSnapshots);
    const candidates = able.length > 0 ? able : all;
    const followers = candidates.filter(([, { isLeading }]) => !isLeading);
    const [first] = (followers.length > 0 ? followers : candidates)
      .map(([node]) => node)
      .sort((a, b) => (this.#score(a) < this.#score(b) ? 1 : -1));
    return first === this.#options.node;
  }

  /** Returns the other nodes that were heard recently and can read on. */
  listNodes(nowMs: number): readonly LiveNode[] {
    return this.#liveNodes(nowMs).map(([node, { head, failsSnapshots }]) => ({ node, head, failsSnapshots }));
  }

  /**
   * Returns the node that should lead next: the named one, or the first one that follows, if it was heard recently and has
   * read nearly everything up to a slot. `undefined` if there is none.
   */
  findSuccessor(name: string, head: Slot, nowMs: number): string | undefined {
    const ready = this.#liveNodes(nowMs)
      .filter(([node, heard]) => head - heard.head <= MAX_BEHIND && (name === '' || node === name))
      .map(([node]) => node);
    return ready.sort((a, b) => (this.#score(a) < this.#score(b) ? 1 : -1))[0];
  }

  /** Returns the lowest slot up to which another node has read, of those that were heard within a time. */
  lowestHead(withinMs: number, nowMs: number): Slot {
    const heard = [...this.#nodes.values()].filter(({ head, atMs }) => head > 0 && nowMs - atMs < withinMs);
    return Math.min(...heard.map(({ head }) => head));
  }

  /** Returns the other nodes that were heard recently and can read on. */
  #liveNodes(nowMs: number): readonly (readonly [string, HeardNode])[] {
    return [...this.#nodes].filter(
      ([, { atMs, hasStopped }]) => !hasStopped && nowMs - atMs < NODE_SILENCE_MS,
    );
  }

  #remember(node: string, heard: HeardNode): void {
    this.#nodes.delete(node);
    this.#nodes.set(node, heard);
    for (const oldest of this.#nodes.keys()) {
      if (this.#nodes.size <= MAX_REMEMBERED_NODES) break;
      this.#nodes.delete(oldest);
    }
  }

  /** The order of nodes differs from shard to shard, so that the sequencers of shards are spread over the nodes. */
  #score(node: string): string {
    return createHash('sha256').update(`${this.#options.shard}\0${node}`).digest('hex');
  }
}
