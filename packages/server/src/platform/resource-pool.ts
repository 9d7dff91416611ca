import { assert } from '@hearth/core/error/assert.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { siteOfNetwork } from './address-layers.ts';
import { type Holder, Lease, type LeaseOwner } from './lease.ts';
import { type Candidates, IdleOrder, Ranking, SizeOrder } from './ranking.ts';

/** The limits of a resource, in its unit: connections, bytes, places. */
export interface PoolLimits {
  /** The amount that all peers together may hold. */
  readonly total: number;
  /** The part of `total` that only privileged peers may use. */
  readonly reserve: number;
  /** The amount that the networks of one site may hold outside of the reserve. `MANY_CLIENTS` has no such limit. */
  readonly ofNetwork: number;
  /**
   * The amount that one identity may hold through all networks, including the reserve. If absent, identities have no
   * limit.
   */
  readonly ofIdentity?: number;
  /**
   * Time without progress after which a lease counts as idle, in ms. Of one network, the lease that has been idle
   * longest makes room for others. `null`: the largest lease does, however busy it is.
   */
  readonly idleMs: number | null;
  /**
   * Whether `idleMs` is an age, because the holder of a lease cannot make it progress. Such a lease makes room only for a
   * network that would hold no more than its own.
   */
  readonly isAge?: true;
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
  /** The amount that its networks hold outside of the reserve. */
  held: number;
  shareCount: number;
  /** The networks that hold something, in the order of the amounts. */
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

/** The leases of one identity that hold something. */
interface IdentityShare {
  held: number;
  readonly leases: Set<Lease>;
}

/** The network of all peers that represent many clients. Not an address, so that no single network has this name. */
export const MANY_CLIENTS = '*';

/** Maximum number of leases that one request for a part may evict. Bounds the time of the request. */
const MAX_EVICTIONS = 256;

/**
 * A resource that all peers share: connections, bytes of unfinished bodies, places for long work.
 *
 * When the resource is used up, the pool evicts leases of the network that holds the most, starting with the lease that
 * has made no progress for the longest time, or with the largest. The networks of one site count together, because one
 * subscriber may have all of them: of the site that holds the most, the network that holds the most is chosen. A site
 * loses only to one that holds less, even with the requested part, so that many sites cannot push out small ones.
 * If no site loses a lease, the pool evicts only leases of the requesting network that are larger than the requested
 * one, or idle leases, finally those of any network. Otherwise it rejects the request. A network can therefore not keep
 * newcomers out. Peers that represent many clients may evict leases of any network, and lose to others only what they
 * would lose to each other.
 *
 * If an identity already holds its share through all networks, a further request evicts only idle leases of the same
 * identity.
 */
export class ResourcePool implements LeaseOwner {
  readonly nowMs: () => number;
  readonly limits: PoolLimits;
  readonly #shares = new Map<string, Share>();
  readonly #sites = new Map<string, Site>();
  readonly #identities = new Map<string, IdentityShare>();
  /**
   * The leases that hold something outside of the reserve, in the order of their latest progress. `null` if no lease
   * counts as idle.
   */
  readonly #byProgress: Set<Lease> | null;
  /** The sites that hold something, in the order of the amounts. Without the site of `MANY_CLIENTS`. */
  readonly #ranking = new Ranking<Site>(({ held }) => held);
  #shared = 0;
  #reserved = 0;
  #rejected = 0;
  #evicted = 0;

  constructor(limits: PoolLimits, nowMs: () => number) {
    this.limits = limits;
    this.nowMs = nowMs;
    this.#byProgress = limits.idleMs === null ? null : new Set();
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
   * Takes a place for one of `things`. Throws `request/overload` with a sentence that names the things of which there
   * are too many. The limits of the pool must not depend on networks.
   */
  requirePlace(holder: Holder, things: string, evict: () => void): Lease {
    const lease = this.take(holder, 1, evict);
    if (lease !== undefined) return lease;
    const { total, ofIdentity = Number.POSITIVE_INFINITY } = this.limits;
    const isOwn = (this.#identities.get(holder.identity ?? '')?.held ?? 0) >= ofIdentity;
    const finding = isOwn
      ? `You already have ${ofIdentity} ${things}`
      : `There are already ${total} ${things}`;
    throw new RequestError('request/overload', `${finding}: wait until one of them ends, or end one.`);
  }

  /**
   * Returns the largest of the leases that would make room first, if it holds at least `minAmount`. Takes time linear in
   * the number of networks.
   */
  findLargest(minAmount: number): Lease | undefined {
    let largest: Lease | undefined;
    for (const { candidates } of this.#shares.values()) {
      const { first } = candidates;
      if (first !== undefined && first.shared >= Math.max(minAmount, largest?.shared ?? 0)) largest = first;
    }
    return largest;
  }

  /** Ends a lease of this pool. */
  evict(victim: Lease): void {
    victim.release();
    victim.evict();
    this.#evicted += 1;
  }

  growLease(lease: Lease, amount: number): boolean {
    const unusedReserve = this.limits.reserve - this.#reserved;
    const reserved = lease.isPrivileged ? Math.min(amount, unusedReserve) : 0;
    const shared = amount - reserved;
    // A lease that never fits must not evict others in vain.
    const fits =
      lease.shared + shared <= this.limits.total - this.limits.reserve &&
      lease.amount + amount <= this.#maxOfIdentity(lease);
    const hasRoom =
      fits &&
      this.#makeRoomForIdentity(lease, amount) &&
      (shared === 0 || (this.#makeRoomInNetwork(lease, shared) && this.#makeRoom(lease, shared)));
    if (!hasRoom) {
      this.#rejected += 1;
      return false;
    }
    this.#setParts(lease, lease.shared + shared, lease.reserved + reserved);
    lease.recordProgress();
    return true;
  }

  shrinkLease(lease: Lease, amount: number): void {
    const shared = Math.min(amount, lease.shared);
    this.#setParts(lease, lease.shared - shared, lease.reserved - (amount - shared));
    lease.recordProgress();
  }

  moveToNewest(lease: Lease): void {
    if (lease.shared === 0) return;
    const { candidates } = this.#shareOf(lease);
    candidates.remove(lease);
    candidates.add(lease);
    this.#byProgress?.delete(lease);
    this.#byProgress?.add(lease);
  }

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
    this.#byProgress?.delete(lease);
    const change = shared - lease.shared;
    this.#shared += change;
    this.#reserved += reserved - lease.reserved;
    share.held += change;
    share.site.held += change;
    this.#countIdentity(lease, shared + reserved);
    lease.setParts(shared, reserved);
    if (shared > 0) {
      share.candidates.add(lease);
      this.#byProgress?.add(lease);
    }
    if (change === 0 || share.network === MANY_CLIENTS) return;
    updateRank(share.site.ranking, share);
    updateRank(this.#ranking, share.site);
  }

  #addShare(network: string): Share {
    const name = siteOfNetwork(network);
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

  /** Counts an amount that replaces the present one of a lease. */
  #countIdentity(lease: Lease, amount: number): void {
    if (lease.identity === undefined) return;
    const share = this.#identities.get(lease.identity) ?? { held: 0, leases: new Set() };
    share.held += amount - lease.amount;
    if (amount > 0) share.leases.add(lease);
    else share.leases.delete(lease);
    if (share.leases.size > 0) this.#identities.set(lease.identity, share);
    else this.#identities.delete(lease.identity);
  }

  #maxOfIdentity({ identity }: Lease): number {
    return identity === undefined
      ? Number.POSITIVE_INFINITY
      : (this.limits.ofIdentity ?? Number.POSITIVE_INFINITY);
  }

  #makeRoomForIdentity(lease: Lease, amount: number): boolean {
    const max = this.#maxOfIdentity(lease);
    const shareOf = (): IdentityShare | undefined => this.#identities.get(lease.identity ?? '');
    return this.#evictWhile(
      lease,
      () => (shareOf()?.held ?? 0) + amount > max,
      () => this.#findIdle(shareOf()?.leases ?? [], lease),
    );
  }

  /** Time of the latest progress before which a lease counts as idle, in ms. */
  #idleSinceMs(): number {
    return this.nowMs() - (this.limits.idleMs ?? Number.POSITIVE_INFINITY);
  }

  /** Finds the lease that has been idle for the longest time, except for `newcomer`. */
  #findIdle(leases: Iterable<Lease>, newcomer: Lease): Lease | undefined {
    const idleSinceMs = this.#idleSinceMs();
    let longest: Lease | undefined;
    for (const lease of leases) {
      const isIdle = lease !== newcomer && lease.progressAtMs <= idleSinceMs;
      if (isIdle && lease.progressAtMs < (longest?.progressAtMs ?? Number.POSITIVE_INFINITY)) longest = lease;
    }
    return longest;
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
      this.evict(victim);
    }
    return newcomer.isOpen;
  }

  #findVictim(newcomer: Lease, amount: number): Lease | undefined {
    const own = this.#shareOf(newcomer);
    const largest = this.#ranking.highest;
    const isLarger = own.network === MANY_CLIENTS || (largest?.held ?? 0) > own.site.held + amount;
    if (largest !== undefined && largest !== own.site && isLarger)
      return largest.ranking.highest?.candidates.first;
    const many = this.#shares.get(MANY_CLIENTS);
    return (
      findInSite(own, newcomer, amount) ??
      many?.candidates.findFor(newcomer, amount) ??
      this.#findIdleOfAll(newcomer, amount)
    );
  }

  /**
   * Finds the lease that has been idle for the longest time, except for `newcomer`. If `idleMs` is an age, looks at a
   * limited number of leases.
   */
  #findIdleOfAll(newcomer: Lease, amount: number): Lease | undefined {
    const { held } = this.#shareOf(newcomer).site;
    const least = this.limits.isAge === true ? held + amount : 0;
    let looked = 0;
    for (const lease of this.#byProgress ?? []) {
      if (lease === newcomer) continue;
      if (lease.progressAtMs > this.#idleSinceMs() || looked === MAX_EVICTIONS) return undefined;
      if (this.#shareOf(lease).site.held >= least) return lease;
      looked += 1;
    }
    return undefined;
  }

  #createCandidates(): Candidates<Lease> {
    const { idleMs } = this.limits;
    return idleMs === null ? new SizeOrder() : new IdleOrder(idleMs, this.nowMs);
  }
}

/** Finds the lease of a site to evict for another lease of the same site, which needs `amount` more. */
function findInSite(own: Share, newcomer: Lease, amount: number): Lease | undefined {
  const largest = own.site.ranking.highest;
  if (largest !== undefined && largest !== own && largest.held > own.held + amount)
    return largest.candidates.first;
  return own.candidates.findFor(newcomer, amount);
}

function updateRank<Item extends { readonly held: number }>(ranking: Ranking<Item>, item: Item): void {
  if (item.held > 0) ranking.update(item);
  else ranking.remove(item);
}
