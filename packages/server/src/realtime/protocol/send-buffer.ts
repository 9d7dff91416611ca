import { type ByteHolder, HeldBytes } from '../../platform/held-bytes.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';

/** Number of waiting bytes of a connection, and of bytes of its incomplete message, that no pool counts. */
export const FREE_BYTES = 16_384;

export interface SendBufferLimits {
  /** Maximum number of bytes that may wait, not counting the largest of the waiting deliveries. */
  readonly maxBytes: number;
  /** Waiting bytes above which the client should read before it sends another request. */
  readonly fullBytes: number;
}

/**
 * The send buffer of one connection. A single delivery may have any size, so that a large response can be sent
 * at all. Deliveries after it are limited, and so is the total over all connections: `pool` is in bytes.
 */
export class SendBuffer {
  readonly #limits: SendBufferLimits;
  readonly #held: HeldBytes;
  #waitingBytes = 0;
  #largestBytes = 0;
  #deliveredBytes = 0;
  #sentBytesAtLastCheck = 0;

  constructor(limits: SendBufferLimits, pool: ResourcePool, holder: ByteHolder) {
    this.#limits = limits;
    this.#held = new HeldBytes(pool, holder, FREE_BYTES);
  }

  get isFull(): boolean {
    return this.#waitingBytes > this.#limits.fullBytes;
  }

  /**
   * Counts a delivery, or returns false if it exceeds the limits; the caller must then close the connection.
   * `waitingBytes` is the number of bytes that wait on the socket now, without this delivery.
   */
  accept(bytes: number, waitingBytes: number): boolean {
    const largest = waitingBytes === 0 ? bytes : Math.max(this.#largestBytes, bytes);
    if (waitingBytes + bytes - largest > this.#limits.maxBytes) return false;
    if (!this.#held.hold(waitingBytes + bytes)) return false;
    this.#waitingBytes = waitingBytes;
    this.#largestBytes = largest;
    this.#deliveredBytes += bytes;
    return true;
  }

  /** Updates the number of bytes that wait on the socket now. */
  update(waitingBytes: number): void {
    this.#held.hold(waitingBytes);
    this.#waitingBytes = waitingBytes;
  }

  /**
   * Whether any bytes were sent since the last call. A client that receives data is alive, even if it sends
   * nothing.
   */
  hasProgressed(): boolean {
    const sentBytes = this.#deliveredBytes - this.#waitingBytes;
    const hasProgressed = sentBytes > this.#sentBytesAtLastCheck;
    this.#sentBytesAtLastCheck = sentBytes;
    return hasProgressed;
  }
}
