/** The peer on whose behalf a part of a resource is held. */
export interface Holder {
  /**
   * The network of the peer: an IPv4 address, or the /64 of an IPv6 address; empty if it is unknown. `MANY_CLIENTS` for
   * a trusted proxy, which represents many clients, and for a peer on this machine, which may be a proxy.
   */
  readonly network: string;
  /** Whether the peer may use the reserve. Authenticated requests of the admin API may. */
  readonly isPrivileged: boolean;
  /** The signed-in user, member or service account; absent for other peers, which have no limit of their own. */
  readonly identity?: string | undefined;
}

/** The pool of a lease, as its leases see it. */
export interface LeaseOwner {
  /** A monotonic clock. */
  readonly nowMs: () => number;
  growLease(lease: Lease, amount: number): boolean;
  shrinkLease(lease: Lease, amount: number): void;
  moveToNewest(lease: Lease): void;
  releaseLease(lease: Lease): void;
}

/** A part of a resource that a peer holds until the lease is released or evicted. */
export class Lease {
  readonly network: string;
  readonly isPrivileged: boolean;
  readonly identity: string | undefined;
  /** Ends the work for which the part is held. Called after the part is released. */
  readonly evict: () => void;
  /** Set by `IdleOrder` only. */
  older: Lease | undefined;
  /** Set by `IdleOrder` only. */
  newer: Lease | undefined;
  #pool: LeaseOwner | null;
  #shared = 0;
  #reserved = 0;
  #progressAtMs: number;

  constructor(pool: LeaseOwner, holder: Holder, evict: () => void) {
    this.#pool = pool;
    this.network = holder.network;
    this.isPrivileged = holder.isPrivileged;
    this.identity = holder.identity;
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
