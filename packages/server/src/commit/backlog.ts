/** What waits on all connections together, in bytes or in units of text, of which there may be so many. */
export class SharedBacklog {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Would so many more be too many? */
  isExceededBy(bytes: number): boolean {
    return this.#bytes + bytes > this.#maxBytes;
  }

  change(byBytes: number): void {
    this.#bytes += byBytes;
  }
}

export interface BacklogLimits {
  /** Bytes that may wait behind the largest of the waiting deliveries. */
  readonly maxBytes: number;
  /** Bytes beyond which the client should read before it asks for more. */
  readonly fullBytes: number;
}

/**
 * What waits to be sent on one connection. One delivery may be of any size, so that a large answer can be sent at all; what
 * comes behind it is bounded, and so is what waits on all connections together.
 */
export class Backlog {
  readonly #limits: BacklogLimits;
  readonly #shared: SharedBacklog;
  #waitingBytes = 0;
  #largestBytes = 0;
  #deliveredBytes = 0;
  #sentBytesAtLastLook = 0;

  constructor(limits: BacklogLimits, shared: SharedBacklog) {
    this.#limits = limits;
    this.#shared = shared;
  }

  get isFull(): boolean {
    return this.#waitingBytes > this.#limits.fullBytes;
  }

  /**
   * Takes a delivery into account, or refuses it: the connection has to be cut off then. `waitingBytes` is what waits on
   * the socket now, without the delivery.
   */
  accept(bytes: number, waitingBytes: number): boolean {
    this.update(waitingBytes);
    const largest = waitingBytes === 0 ? bytes : Math.max(this.#largestBytes, bytes);
    if (waitingBytes + bytes - largest > this.#limits.maxBytes) return false;
    // Small deliveries go on being made: it is the large ones that fill memory.
    if (waitingBytes + bytes > this.#limits.fullBytes && this.#shared.isExceededBy(bytes)) return false;
    this.#largestBytes = largest;
    this.#deliveredBytes += bytes;
    return true;
  }

  /** Notes what waits on the socket now. */
  update(waitingBytes: number): void {
    this.#shared.change(waitingBytes - this.#waitingBytes);
    this.#waitingBytes = waitingBytes;
  }

  /** Was anything sent since the last call? A client that takes what it is sent is alive, though it says nothing. */
  hasProgressed(): boolean {
    const sentBytes = this.#deliveredBytes - this.#waitingBytes;
    const hasProgressed = sentBytes > this.#sentBytesAtLastLook;
    this.#sentBytesAtLastLook = sentBytes;
    return hasProgressed;
  }
}
