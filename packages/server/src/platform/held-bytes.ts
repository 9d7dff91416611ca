import type { Lease } from './lease.ts';
import type { ResourcePool } from './resource-pool.ts';

/** A peer that holds bytes of a shared pool. */
export interface ByteHolder {
  /** The peer's network, as in `Holder`. */
  readonly network: string;
  /** Ends the peer, because other peers need the bytes. Called after the pool has taken the bytes back. */
  evict(): void;
}

/**
 * The bytes of a pool that one peer holds for one purpose. A small amount is free, so that a peer that holds little
 * costs the pool nothing. The limit on connections also limits how many peers hold free bytes.
 */
export class HeldBytes {
  readonly #pool: ResourcePool;
  readonly #holder: ByteHolder;
  readonly #freeBytes: number;
  #lease: Lease | undefined;
  #bytes = 0;
  #isEvicted = false;

  constructor(pool: ResourcePool, holder: ByteHolder, freeBytes: number) {
    this.#pool = pool;
    this.#holder = holder;
    this.#freeBytes = freeBytes;
  }

  /**
   * Changes the amount that the peer holds to `bytes`. Returns false, and changes nothing, if the pool does not allow
   * the amount. A smaller amount than before is always allowed. After an eviction, a larger amount is never allowed,
   * and the pool no longer counts what the peer still holds.
   */
  hold(bytes: number): boolean {
    // A shortcut for most calls: most peers hold little, and this function is called for each message.
    const isFree = bytes <= this.#freeBytes && this.#lease === undefined;
    if (!isFree && !this.#mayHold(bytes)) return false;
    this.#bytes = bytes;
    return true;
  }

  #mayHold(bytes: number): boolean {
    if (this.#isEvicted) return bytes <= Math.max(this.#bytes, this.#freeBytes);
    if (bytes <= this.#freeBytes) {
      this.#release();
      return true;
    }
    this.#lease ??= this.#pool.open({ network: this.#holder.network, isPrivileged: false }, () => {
      this.#lease = undefined;
      this.#isEvicted = true;
      this.#holder.evict();
    });
    if (this.#lease.resize(bytes)) return true;
    // The pool may have evicted another lease of this peer in favor of this one. The peer has then given back both.
    if (this.#lease?.amount === 0) this.#release();
    return false;
  }

  #release(): void {
    this.#lease?.release();
    this.#lease = undefined;
  }
}
