import type { Lease, ResourcePool } from './resource-pool.ts';

/** A peer that holds bytes of a shared pool. */
export interface ByteHolder {
  /** The peer's network, as in `Holder`. */
  readonly network: string;
  /** Ends the peer, because other peers need the bytes. Called after the pool has taken the bytes back. */
  evict(): void;
}

/**
 * The bytes of a pool that one peer holds for one purpose. A small amount is free, so that a peer that holds little
 * costs the pool nothing. The number of connections limits how many peers get it.
 */
export class HeldBytes {
  readonly #pool: ResourcePool;
  readonly #holder: ByteHolder;
  readonly #freeBytes: number;
  #lease: Lease | undefined;

  constructor(pool: ResourcePool, holder: ByteHolder, freeBytes: number) {
    this.#pool = pool;
    this.#holder = holder;
    this.#freeBytes = freeBytes;
  }

  /**
   * Changes the amount that the peer holds to `bytes`. Returns false, and changes nothing, if the pool does not allow
   * the amount. A smaller amount than before is always allowed.
   */
  hold(bytes: number): boolean {
    if (bytes <= this.#freeBytes) {
      this.#lease?.release();
      this.#lease = undefined;
      return true;
    }
    this.#lease ??= this.#pool.open({ network: this.#holder.network, isPrivileged: false }, () => {
      this.#lease = undefined;
      this.#holder.evict();
    });
    if (this.#lease.resize(bytes)) return true;
    if (this.#lease.amount === 0) this.hold(0);
    return false;
  }
}
