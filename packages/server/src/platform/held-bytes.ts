import type { Lease, ResourcePool } from './resource-pool.ts';

/** A peer that holds bytes of a shared pool. */
export interface ByteHolder {
  /** The peer's network, as in `Holder`. */
  readonly network: string;
  /** Ends the peer, because others need the bytes. It must then hold nothing. */
  evict(): void;
}

/**
 * The bytes of a pool that one peer holds for one purpose. A small amount is free, so that a peer that holds little
 * costs the pool nothing: connections limit how often it is given.
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
   * Changes what the peer holds to `bytes`. Returns false if the peer may not hold that much, because its network holds
   * the most; what it holds then stays as it is. Less is always allowed.
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
