import { assert } from '@hearth/core/error/assert.ts';
import { type Candidates, IdleOrder, Ranking, SizeOrder } from './ranking.ts';

/** The peer on whose behalf a part of a resource is held. */
export interface Holder {
  /**
   * The network of the peer: an IPv4 address, or the /64 of an IPv6 address; empty if it is unknown. `MANY_CLIENTS` for
   * a trusted proxy, which represents many clients, and for a peer on this machine, which may be a proxy.
   */
  readonly network: string;
  /** Whether the peer may use the reserve. Authenticated requests of the admin API may. */
  readonly isPrivileged: boolean;
}

/** The limits of a resource, in its unit: connections, bytes, places. */
export interface PoolLimits {
  /** What all peers together may hold. */
  readonly total: number;
  /** The part of `total` that only privileged peers may use. */
  readonly reserve: number;
  /** What the networks of one site may hold outside of the reserve. `MANY_CLIENTS` has no such limit. */
  readonly ofNetwork: number;
  /**
   * Time without progress after which a lease counts as idle, in ms. Of one network, the lease that has been idle
   * longest makes room for others. `null`: the largest lease does, however busy it is.
   */
  readonly idleMs: number | null;
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

/** The networks of one site: one network for IPv4, those of a /48 for IPv6, which one subscriber may have. */
interface Site {
  readonly name: string;
  /** What its networks hold outside of the reserve. */
  held: number;
  shareCount: number;
  /** The networks that hold something, by what they hold. */
  readonly ranking: Ranking<Share>;
}

/** The leases of one network. */
interface Share {
  readonly network: string;
  readonly site: Site;
  /** The amount that the leases hold outside of the reserve. */
  held: number;
  leaseCount: number;
  /** The leases that hold something outside of the reserve. Only these make room when they are evicted. */
  readonly candidates: Candidates<Lease>;
}

/** The network of all peers that represent many clients. Not an address, so that no single network has this name. */
export const MANY_CLIENTS = '*';

/** Matches the /64 of an IPv6 address, and in it the /48. */
const IPV6_NETWORK = /^((?:[0-9a-f]+:){2}[0-9a-f]+):[0-9a-f]+::\/64$/;

/** Returns the site of a network: the /48 of an IPv6 address, otherwise the network itself. */
function siteNameOf(network: string): string {
  const prefix = IPV6_NETWORK.exec(network)?.[1];
  return prefix === undefined ? network : `${prefix}::/48`;
}

/** Maximum number of leases that one request for a part may evict. Bounds the time of the request. */
const MAX_EVICTIONS = 256;

/** A part of a resource that a peer holds until the lease is released or evicted. */
export class Lease {
  readonly network: string;
  readonly isPrivileged: boolean;
  /** Ends the work for which the part is held. Called after the part is released. */
  readonly evict: () => void;
  /** Set by `IdleOrder` only. */
  older: Lease | undefined;
  /** Set by `IdleOrder` only. */
  newer: Lease | undefined;
  #pool: ResourcePool | null;
  #shared = 0;
  #reserved = 0;
  #progressAtMs: number;

  constructor(pool: ResourcePool, holder: Holder, evict: () => void) {
    this.#pool = pool;
    this.network = holder.network;
    this.isPrivileged = holder.isPrivileged;
    this.evict = evict;
    this.#progressAtMs = pool.nowMs();
  }

  /** Whether the lease is neither released nor evicted. */
  get isOpen(): boolean {
    return this.#pool !== null;
  }

  get amount(): number {
    return this.#shared + this.#reserved;
  }

  /** The amount outside of the reserve. */
  get shared(): number {
    return this.#shared;
  }

  /** The amount from the reserve. */
  get reserved(): number {
    return this.#reserved;
  }

  /** Time of the latest progress, in ms of the pool's clock. */
  get progressAtMs(): number {
    return this.#progressAtMs;
  }

  /**
   * Adds an amount to the held part and records progress. Returns `false`, and leaves the part unchanged, if the limits
   * do not allow it or the lease is released, possibly because its holder loses another lease to this one.
   */
  grow(amount: number): boolean {
    return this.#pool?.growLease(this, amount) ?? false;
  }

  /**
   * Changes the held part to `amount`, which counts as progress. Returns whether that is allowed; if not, the held part
   * does not change. A smaller amount is always allowed, and a released lease cannot grow.
   */
  resize(amount: number): boolean {
    if (amount > this.amount) return this.grow(amount - this.amount);
    if (amount < this.amount) this.#pool?.shrinkLease(this, this.amount - amount);
    return true;
  }

  /** Records that the peer uses the part: it sends data, reads data, or receives a response. */
  recordProgress(): void {
    if (this.#pool === null) return;
    this.#progressAtMs = this.#pool.nowMs();
    this.#pool.moveToNewest(this);
  }

  /** Gives the whole part back to the pool. Later calls do nothing. */
  release(): void {
    const pool = this.#pool;
    this.#pool = null;
    pool?.releaseLease(this);
  }

  /** Called by the pool only. */
  setParts(shared: number, reserved: number): void {
    this.#shared = shared;
    this.#reserved = reserved;
  }
}

/**
 * A resource that all peers share: connections, bytes of unfinished bodies, places for long work.
 *
 * When the resource is used up, the pool evicts leases of the network that holds the most, starting with the lease that
 * has made no progress for the longest time, or with the largest. The networks of one site count together, because one
 * subscriber may have all of them: of the site that holds the most, the network that holds the most is chosen. If the
 * requesting network itself holds the most, the pool evicts only idle leases, or leases larger than the requested one,
 * or else rejects the request. A network can therefore not keep newcomers out. Peers that represent many clients may
 * evict leases of any network, and lose to others only what they would lose to each other.
 */
export class ResourcePool {
  /** Called by leases only. A monotonic clock. */
  readonly nowMs: () => number;
  readonly limits: PoolLimits;
  readonly #shares = new Map<string, Share>();
  readonly #sites = new Map<string, Site>();
  /** The sites that hold something, by what they hold. Not that of `MANY_CLIENTS`. */
  readonly #ranking = new Ranking<Site>(({ held }) => held);
  #shared = 0;
  #reserved = 0;
  #rejected = 0;
  #evicted = 0;

  constructor(limits: PoolLimits, nowMs: () => number) {
    this.limits = limits;
    this.nowMs = nowMs;
  }

  get usage(): PoolUsage {
    return {
      used: this.#shared + this.#reserved,
      networks: this.#shares.size,
      rejected: this.#rejected,
      evicted: this.#evicted,
    };
  }

  /** Returns a lease that holds nothing yet. `evict` is called when the lease must make room for another. */
  open(holder: Holder, evict: () => void): Lease {
    const lease = new Lease(this, holder, evict);
    const { network } = holder;
    const share = this.#shares.get(network) ?? this.#addShare(network);
    share.leaseCount += 1;
    return lease;
  }

  /**
   * Takes a part of the resource. Returns `undefined` if the limits do not allow it. `evict` is called when the part
   * must make room for another.
   */
  take(holder: Holder, amount: number, evict: () => void): Lease | undefined {
    const lease = this.open(holder, evict);
    if (lease.grow(amount)) return lease;
    lease.release();
    return undefined;
  }

  /**
   * Ends the lease that makes room first: one of the network that holds the most, or one of `MANY_CLIENTS` if that is
   * larger. Returns whether there was one.
   */
  evictFirst(): boolean {
    const largest = this.#ranking.highest?.ranking.highest?.candidates.first;
    const ofMany = this.#shares.get(MANY_CLIENTS)?.candidates.first;
    const victim = (ofMany?.shared ?? 0) > (largest?.shared ?? 0) ? ofMany : largest;
    if (victim === undefined) return false;
    this.#evict(victim);
    return true;
  }

  /** Called by leases only. */
  growLease(lease: Lease, amount: number): boolean {
    const unusedReserve = this.limits.reserve - this.#reserved;
    const reserved = lease.isPrivileged ? Math.min(amount, unusedReserve) : 0;
    const shared = amount - reserved;
    // What never fits must not evict others in vain.
    const fits = lease.shared + shared <= this.limits.total - this.limits.reserve;
    if (shared > 0 && !(fits && this.#makeRoomInNetwork(lease, shared) && this.#makeRoom(lease, shared))) {
      this.#rejected += 1;
      return false;
    }
    this.#setParts(lease, lease.shared + shared, lease.reserved + reserved);
    lease.recordProgress();
    return true;
  }

  /** Called by leases only. */
  shrinkLease(lease: Lease, amount: number): void {
    const shared = Math.min(amount, lease.shared);
    this.#setParts(lease, lease.shared - shared, lease.reserved - (amount - shared));
    lease.recordProgress();
  }

  /** Called by leases only. */
  moveToNewest(lease: Lease): void {
    if (lease.shared === 0) return;
    const { candidates } = this.#shareOf(lease);
    candidates.remove(lease);
    candidates.add(lease);
  }

  /** Called by leases only. */
  releaseLease(lease: Lease): void {
    const share = this.#shareOf(lease);
    this.#setParts(lease, 0, 0);
    share.leaseCount -= 1;
    if (share.leaseCount > 0) return;
    this.#shares.delete(share.network);
    share.site.shareCount -= 1;
    if (share.site.shareCount === 0) this.#sites.delete(share.site.name);
  }

  #setParts(lease: Lease, shared: number, reserved: number): void {
    const share = this.#shareOf(lease);
    if (lease.shared > 0) share.candidates.remove(lease);
    const change = shared - lease.shared;
    this.#shared += change;
    this.#reserved += reserved - lease.reserved;
    share.held += change;
    share.site.held += change;
    lease.setParts(shared, reserved);
    if (shared > 0) share.candidates.add(lease);
    if (change === 0 || share.network === MANY_CLIENTS) return;
    updateRank(share.site.ranking, share);
    updateRank(this.#ranking, share.site);
  }

  #addShare(network: string): Share {
    const name = siteNameOf(network);
    const site = this.#sites.get(name) ?? {
      name,
      held: 0,
      shareCount: 0,
      ranking: new Ranking<Share>(({ held }) => held),
    };
    this.#sites.set(name, site);
    site.shareCount += 1;
    const share = { network, site, held: 0, leaseCount: 0, candidates: this.#createCandidates() };
    this.#shares.set(network, share);
    return share;
  }

  #shareOf({ network }: Lease): Share {
    const share = this.#shares.get(network);
    assert(share !== undefined, 'the network of a lease has a share');
    return share;
  }

  #makeRoomInNetwork(lease: Lease, amount: number): boolean {
    const share = this.#shareOf(lease);
    if (share.network === MANY_CLIENTS) return true;
    return this.#evictWhile(
      lease,
      () => share.site.held + amount > this.limits.ofNetwork,
      () => findInSite(share, lease, amount),
    );
  }

  #makeRoom(lease: Lease, amount: number): boolean {
    const available = this.limits.total - this.limits.reserve;
    return this.#evictWhile(
      lease,
      () => this.#shared + amount > available,
      () => this.#findVictim(lease, amount),
    );
  }

  /**
   * Evicts leases while there is too little room for `newcomer`. Returns whether there is enough in the end. A holder
   * that is evicted releases all its leases, which may include `newcomer`.
   */
  #evictWhile(newcomer: Lease, isFull: () => boolean, findVictim: () => Lease | undefined): boolean {
    for (let count = 0; newcomer.isOpen && isFull(); count++) {
      const victim = count < MAX_EVICTIONS ? findVictim() : undefined;
      if (victim === undefined) return false;
      this.#evict(victim);
    }
    return newcomer.isOpen;
  }

  #evict(victim: Lease): void {
    victim.release();
    victim.evict();
    this.#evicted += 1;
  }

  #findVictim(newcomer: Lease, amount: number): Lease | undefined {
    const own = this.#shareOf(newcomer);
    const largest = this.#ranking.highest;
    const isLarger = own.network === MANY_CLIENTS || (largest?.held ?? 0) > own.site.held;
    if (largest !== undefined && largest !== own.site && isLarger)
      return largest.ranking.highest?.candidates.first;
    const many = this.#shares.get(MANY_CLIENTS);
    return findInSite(own, newcomer, amount) ?? many?.candidates.findFor(newcomer, amount);
  }

  #createCandidates(): Candidates<Lease> {
    const { idleMs } = this.limits;
    return idleMs === null ? new SizeOrder() : new IdleOrder(idleMs, this.nowMs);
  }
}

/** Finds the lease of a site that makes room for another of the same site, which needs `amount` more. */
function findInSite(own: Share, newcomer: Lease, amount: number): Lease | undefined {
  const largest = own.site.ranking.highest;
  if (largest !== undefined && largest !== own && largest.held > own.held) return largest.candidates.first;
  return own.candidates.findFor(newcomer, amount);
}

function updateRank<Item extends { readonly held: number }>(ranking: Ranking<Item>, item: Item): void {
  if (item.held > 0) ranking.update(item);
  else ranking.remove(item);
}
