import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { type ByteHolder, HeldBytes } from '../../platform/held-bytes.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';

/**
 * Number of bytes of a connection that no pool counts. It applies once to the bytes that wait to be sent, and once to those
 * of a message that has not arrived completely.
 */
export const FREE_BYTES = 16_384;

export interface SendBufferLimits {
  /** Maximum number of bytes that may wait, not counting the largest of the waiting deliveries. */
  readonly maxBytes: number;
  /** Waiting bytes above which the client should read before it sends another request. */
  readonly fullBytes: number;
}

/**
 * A delivery whose bytes several connections send from the same memory. Only one of the connections that still send the
 * delivery counts its bytes: the payer.
 */
export class SharedDelivery {
  readonly bytes: number;
  readonly #senders = new Set<SendBuffer>();
  #payer: SendBuffer | undefined;

  constructor(bytes: number) {
    this.bytes = bytes;
  }

  /** Adds a sender. The first one pays. Returns false if the sender is sending the delivery already. */
  add(sender: SendBuffer): boolean {
    if (this.#senders.has(sender)) return false;
    this.#senders.add(sender);
    this.#payer ??= sender;
    return true;
  }

  isPaidBy(sender: SendBuffer): boolean {
    return this.#payer === sender;
  }

  /** Removes a sender. If it was the payer, another sender pays from now on. */
  remove(sender: SendBuffer): void {
    this.#senders.delete(sender);
    if (this.#payer !== sender) return;
    [this.#payer] = this.#senders;
    this.#payer?.pay(this);
  }
}

const sharedDeliveries = new WeakMap<Buffer, SharedDelivery>();

/**
 * Returns the delivery of bytes that several connections may send. Returns `undefined` for so few bytes that no pool
 * counts them, and for an encrypted socket: encryption copies the bytes for each connection.
 */
export function findSharedDelivery(bytes: Buffer, socket: Duplex): SharedDelivery | undefined {
  if (bytes.length <= FREE_BYTES || socket instanceof TLSSocket) return undefined;
  let delivery = sharedDeliveries.get(bytes);
  if (delivery === undefined) {
    delivery = new SharedDelivery(bytes.length);
    sharedDeliveries.set(bytes, delivery);
  }
  return delivery;
}

/** A shared delivery that waits, and the number of bytes that were delivered up to its end. */
interface Waiting {
  readonly delivery: SharedDelivery;
  readonly endBytes: number;
}

/**
 * Counts the bytes that wait in the send buffer of one connection. A single delivery may have any size; otherwise the
 * server could not send a large response. The limits apply to the deliveries after it. `pool` limits the bytes of all
 * connections together.
 */
export class SendBuffer {
  readonly #limits: SendBufferLimits;
  readonly #holder: ByteHolder;
  readonly #held: HeldBytes;
  /** In the order of delivery. */
  readonly #shared: Waiting[] = [];
  /** Bytes of waiting deliveries that another sender counts. */
  #unpaidBytes = 0;
  #waitingBytes = 0;
  #largestBytes = 0;
  #deliveredBytes = 0;
  #sentBytesAtLastCheck = 0;

  constructor(limits: SendBufferLimits, pool: ResourcePool, holder: ByteHolder) {
    this.#limits = limits;
    this.#holder = holder;
    this.#held = new HeldBytes(pool, holder, FREE_BYTES);
  }

  /** Whether the client should read before it sends another request. */
  get isFull(): boolean {
    return this.#waitingBytes > this.#limits.fullBytes;
  }

  /**
   * Counts a delivery and returns true. Returns false if the delivery exceeds a limit; the caller must then close the
   * connection.
   * `waitingBytes` is the number of bytes that wait on the socket now, without this delivery. `shared` is the delivery
   * if other connections send the same bytes.
   */
  accept(bytes: number, waitingBytes: number, shared?: SharedDelivery): boolean {
    if (this.#shared.length > 0) this.update(waitingBytes);
    const largest = waitingBytes === 0 ? bytes : Math.max(this.#largestBytes, bytes);
    if (waitingBytes + bytes - largest > this.#limits.maxBytes) return false;
    const delivery = shared?.add(this) ? shared : undefined;
    const unpaidBytes = delivery === undefined || delivery.isPaidBy(this) ? 0 : bytes;
    if (!this.#held.hold(waitingBytes + bytes - this.#unpaidBytes - unpaidBytes)) {
      delivery?.remove(this);
      return false;
    }
    this.#waitingBytes = waitingBytes;
    this.#largestBytes = largest;
    this.#deliveredBytes += bytes;
    this.#unpaidBytes += unpaidBytes;
    if (delivery !== undefined) this.#shared.push({ delivery, endBytes: this.#deliveredBytes });
    return true;
  }

  /** Updates the number of bytes that wait on the socket now. */
  update(waitingBytes: number): void {
    const paid = this.#removeSent(waitingBytes);
    this.#held.hold(waitingBytes - this.#unpaidBytes);
    this.#waitingBytes = waitingBytes;
    // Only after `hold`: otherwise this connection and the next payer would both count the bytes for a moment.
    for (const delivery of paid) delivery.remove(this);
  }

  /** Counts a waiting delivery that another sender has counted so far. Ends the connection if the pool is full. */
  pay({ bytes }: SharedDelivery): void {
    this.#unpaidBytes -= bytes;
    if (!this.#held.hold(this.#waitingBytes - this.#unpaidBytes)) this.#holder.evict();
  }

  /** Removes the shared deliveries that have been sent. Returns those that this connection paid. */
  #removeSent(waitingBytes: number): readonly SharedDelivery[] {
    const sentBytes = this.#deliveredBytes - waitingBytes;
    const firstWaiting = this.#shared.findIndex(({ endBytes }) => endBytes > sentBytes);
    const sent = this.#shared.splice(0, firstWaiting === -1 ? this.#shared.length : firstWaiting);
    const paid: SharedDelivery[] = [];
    for (const { delivery } of sent) {
      if (delivery.isPaidBy(this)) paid.push(delivery);
      else {
        this.#unpaidBytes -= delivery.bytes;
        delivery.remove(this);
      }
    }
    return paid;
  }

  /**
   * Returns whether any bytes were sent since the last call. A client that receives data is alive, even if it sends
   * nothing.
   */
  hasProgressed(): boolean {
    const sentBytes = this.#deliveredBytes - this.#waitingBytes;
    const hasProgressed = sentBytes > this.#sentBytesAtLastCheck;
    this.#sentBytesAtLastCheck = sentBytes;
    return hasProgressed;
  }
}
