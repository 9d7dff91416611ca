import { assert } from '@hearth/core/error/assert.ts';

/** The peer on whose behalf a part of a resource is held. */
export interface Holder {
  /** The network of the peer: an IPv4 address, or the /64 of an IPv6 address. Empty if it is unknown. */
  readonly network: string;
  /** Whether the peer may use the reserve: an administrator, or a request of the console. */
  readonly isPrivileged: boolean;
}

/** The limits of a resource, in its unit: connections, bytes, places. */
export interface PoolLimits {
  /** What all peers together may hold. */
  readonly total: number;
  /** The part of `total` that only privileged peers may use. */
  readonly reserve: number;
  /** What one network may hold. A network that is unknown, such as that of a trusted proxy, has no such limit. */
  readonly ofNetwork: number;
  /** Time without progress after which a lease counts as idle, in ms. */
  readonly idleMs: number;
}

/** The use of a pool, for metrics and the console. */
export interface PoolUsage {
  readonly used: number;
  readonly networks: number;
  /** Requests for a part that were rejected since the start. */
  readonly rejected: number;
  /** Leases that were ended in favor of other peers since the start. */
  readonly evicted: number;
}

/** The leases of one network. */
interface Share {
  held: number;
  /** In the order of their start. */
  readonly leases: Set<Lease>;
}

/** Maximum number of leases that one request for a part may evict. It bounds the time that the request takes. */
const MAX_EVICTIONS = 256;

/** Number of the oldest leases of a network among which a victim is chosen. */
const MAX_CANDIDATES = 64;

/** A part of a resource that a peer holds until it is released. */
export class Lease {
  readonly network: string;
  readonly isPrivileged: boolean;
  /** Ends the work for which the part is held, and releases it. `null` if that is impossible. */
  readonly evict: (() => void) | null;
  #pool: ResourcePool | null;
  #amount = 0;
  #progressAtMs: number;

  constructor(pool: ResourcePool, holder: Holder, evict: (() => void) | null, nowMs: number) {
    this.#pool = pool;
    this.network = holder.network;
    this.isPrivileged = holder.isPrivileged;
    this.evict = evict;
    this.#progressAtMs = nowMs;
  }

  get amount(): number {
    return this.#amount;
  }

  /** Time of the latest progress, in ms of the pool's clock. */
  get progressAtMs(): number {
    return this.#progressAtMs;
  }

  /** Adds to the held part. Returns whether that is allowed; if not, the held part stays as it is. */
  grow(amount: number): boolean {
    return this.#pool?.growLease(this, amount) ?? false;
  }

  /** Returns a part of what is held. */
  shrink(amount: number): void {
    assert(amount <= this.#amount, 'a lease shrinks by at most what it holds');
    this.#pool?.adjust(this, -amount);
  }

  /** Records that the peer makes use of what it holds: it sends, reads, or has its request answered. */
  recordProgress(): void {
    this.#progressAtMs = this.#pool?.nowMs() ?? this.#progressAtMs;
  }

  /** Returns the whole part. Later calls do nothing. */
  release(): void {
    const pool = this.#pool;
    if (pool === null) return;
    pool.adjust(this, -this.#amount);
    pool.remove(this);
    this.#pool = null;
  }

  /** Called by the pool only. */
  setAmount(amount: number): void {
    this.#amount = amount;
  }
}

/**
 * A resource that all peers share: connections, bytes of unfinished bodies, places for long work.
 *
 * When the resource is used up, the pool takes from the network that holds the most, and of that network the lease
 * that has been idle longest. Only if the requesting network itself holds the most is its request rejected, unless
 * one of its own leases is idle. A newcomer is therefore never rejected because of what others hold.
 */
export class ResourcePool {
  /** Called by leases only. A monotonic clock. */
  readonly nowMs: () => number;
  readonly limits: PoolLimits;
  readonly #shares = new Map<string, Share>();
  #used = 0;
  #rejected = 0;
  #evicted = 0;

  constructor(limits: PoolLimits, nowMs: () => number) {
    this.limits = limits;
    this.nowMs = nowMs;
  }

  get usage(): PoolUsage {
    return {
      used: this.#used,
      networks: this.#shares.size,
      rejected: this.#rejected,
      evicted: this.#evicted,
    };
  }

  /**
   * Takes a part of the resource. Returns `undefined` if the peer's network holds too much already. `evict` is called
   * when another peer needs the part; it must release the lease before it returns.
   */
  take(holder: Holder, amount: number, evict: (() => void) | null): Lease | undefined {
    const lease = new Lease(this, holder, evict, this.nowMs());
    const share = this.#shares.get(holder.network) ?? { held: 0, leases: new Set() };
    this.#shares.set(holder.network, share);
    share.leases.add(lease);
    if (this.growLease(lease, amount)) return lease;
    lease.release();
    return undefined;
  }

  /** Called by leases only. */
  growLease(lease: Lease, amount: number): boolean {
    const isGranted = this.#makeRoomInNetwork(lease, amount) && this.#makeRoom(lease, amount);
    if (isGranted) this.adjust(lease, amount);
    else this.#rejected += 1;
    return isGranted;
  }

  /** Called by leases only. */
  adjust(lease: Lease, amount: number): void {
    this.#used += amount;
    this.#shareOf(lease).held += amount;
    lease.setAmount(lease.amount + amount);
  }

  /** Called by leases only. */
  remove(lease: Lease): void {
    const share = this.#shareOf(lease);
    share.leases.delete(lease);
    if (share.leases.size === 0) this.#shares.delete(lease.network);
  }

  #shareOf({ network }: Lease): Share {
    const share = this.#shares.get(network);
    assert(share !== undefined, 'the network of a lease has a share');
    return share;
  }

  #makeRoomInNetwork(lease: Lease, amount: number): boolean {
    if (lease.network === '') return true;
    const share = this.#shareOf(lease);
    return this.#evictWhile(
      () => share.held + amount > this.limits.ofNetwork,
      () => this.#findVictim(share, lease, 'idle'),
    );
  }

  #makeRoom(lease: Lease, amount: number): boolean {
    const { total, reserve } = this.limits;
    const available = lease.isPrivileged ? total : total - reserve;
    return this.#evictWhile(
      () => this.#used + amount > available,
      () => {
        const own = this.#shareOf(lease);
        const largest = this.#findLargest();
        const isOthers = largest !== own && largest.held >= own.held + amount;
        return (
          (isOthers ? this.#findVictim(largest, lease, 'any') : undefined) ??
          this.#findVictim(own, lease, 'idle')
        );
      },
    );
  }

  /** Evicts leases while there is too little room. Returns whether there is enough in the end. */
  #evictWhile(isFull: () => boolean, findVictim: () => Lease | undefined): boolean {
    for (let count = 0; isFull(); count++) {
      const victim = count < MAX_EVICTIONS ? findVictim() : undefined;
      if (victim === undefined) return false;
      victim.evict?.();
      victim.release();
      this.#evicted += 1;
    }
    return true;
  }

  #findLargest(): Share {
    let largest: Share | undefined;
    for (const share of this.#shares.values())
      if (largest === undefined || share.held > largest.held) largest = share;
    assert(largest !== undefined, 'the network of the request has a share');
    return largest;
  }

  /** Finds the lease that has made no progress for the longest time; of equal ones, the one that holds the most. */
  #findVictim({ leases }: Share, newcomer: Lease, kind: 'idle' | 'any'): Lease | undefined {
    const idleSinceMs = this.nowMs() - this.limits.idleMs;
    let victim: Lease | undefined;
    let candidates = 0;
    for (const lease of leases) {
      if (candidates >= MAX_CANDIDATES) break;
      candidates += 1;
      if (lease === newcomer || lease.evict === null || lease.isPrivileged) continue;
      if (kind === 'idle' && lease.progressAtMs > idleSinceMs) continue;
      if (victim === undefined || isWorse(lease, victim)) victim = lease;
    }
    return victim;
  }
}

function isWorse(lease: Lease, other: Lease): boolean {
  return lease.progressAtMs === other.progressAtMs
    ? lease.amount > other.amount
    : lease.progressAtMs < other.progressAtMs;
}
