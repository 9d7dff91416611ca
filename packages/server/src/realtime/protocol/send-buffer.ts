/**
 * The memory budget that the send buffers of all connections share. Counted in bytes, or in code units of text.
 */
export class SendBufferBudget {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether adding this many bytes would exceed the budget. */
  isExceededBy(bytes: number): boolean {
    return this.#bytes + bytes > this.#maxBytes;
  }

  change(byBytes: number): void {
    this.#bytes += byBytes;
  }
}

export interface SendBufferLimits {
  /** Maximum number of bytes that may wait, not counting the largest of the waiting deliveries. */
  readonly maxBytes: number;
  /** Waiting bytes above which the client should read before it sends another request. */
  readonly fullBytes: number;
}

/**
 * The send buffer of one connection. A single delivery may have any size, so that a large response can be sent
 * at all. Deliveries after it are limited, and so is the total over all connections.
 */
export class SendBuffer {
  readonly #limits: SendBufferLimits;
  readonly #shared: SendBufferBudget;
  #waitingBytes = 0;
  #largestBytes = 0;
  #deliveredBytes = 0;
  #sentBytesAtLastCheck = 0;

  constructor(limits: SendBufferLimits, shared: SendBufferBudget) {
    this.#limits = limits;
    this.#shared = shared;
  }

  get isFull(): boolean {
    return this.#waitingBytes > this.#limits.fullBytes;
  }

  /**
   * Counts a delivery, or returns false if it exceeds the limits; the caller must then close the connection.
   * `waitingBytes` is the number of bytes that wait on the socket now, without this delivery.
   */
  accept(bytes: number, waitingBytes: number): boolean {
    this.update(waitingBytes);
    const largest = waitingBytes === 0 ? bytes : Math.max(this.#largestBytes, bytes);
    if (waitingBytes + bytes - largest > this.#limits.maxBytes) return false;
    // Small deliveries are still accepted when the shared budget is used up. Only large ones fill the memory.
    if (waitingBytes + bytes > this.#limits.fullBytes && this.#shared.isExceededBy(bytes)) return false;
    this.#largestBytes = largest;
    this.#deliveredBytes += bytes;
    return true;
  }

  /** Updates the number of bytes that wait on the socket now. */
  update(waitingBytes: number): void {
    this.#shared.change(waitingBytes - this.#waitingBytes);
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
