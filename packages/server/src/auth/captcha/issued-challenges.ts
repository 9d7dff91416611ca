import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { assert } from '@hearth/core/error/assert.ts';

const BLOCK_BYTES = 16;
const SERIAL_BYTES = 6;

/**
 * Number of the latest challenges whose use is remembered. More than ten thousand challenges a second would have to be
 * issued for one to be forgotten within its lifetime; it is then no longer valid.
 */
const MAX_OPEN_CHALLENGES = 4_194_304;

/**
 * Knows which of the latest challenges were used, with one bit for each, however many clients send solutions. The nonce
 * of a challenge is its serial number, encrypted, so that clients learn neither the number nor how many there are.
 */
export class IssuedChallenges {
  /** An object, because Node takes much longer with the bytes. */
  readonly #key: KeyObject;
  readonly #randomBytes: (count: number) => Uint8Array;
  readonly #size: number;
  readonly #used: Uint8Array;
  #next = 0;

  /** `key` has 16 bytes and is used for nothing else. `size` is a multiple of 8. */
  constructor(
    key: Uint8Array,
    randomBytes: (count: number) => Uint8Array,
    size: number = MAX_OPEN_CHALLENGES,
  ) {
    assert(size % 8 === 0, 'whole bytes of challenges');
    this.#key = createSecretKey(key);
    this.#randomBytes = randomBytes;
    this.#size = size;
    this.#used = new Uint8Array(size / 8);
  }

  /** Returns the nonce of a new challenge, 16 bytes in hex. */
  issue(): string {
    const serial = this.#next;
    this.#next += 1;
    this.#write(serial, false);
    const block = Buffer.from(this.#randomBytes(BLOCK_BYTES));
    block.writeUIntBE(serial, 0, SERIAL_BYTES);
    const cipher = createCipheriv('aes-128-ecb', this.#key, null).setAutoPadding(false);
    return cipher.update(block).toString('hex');
  }

  /** Marks a challenge as used. Returns false if it was used before, or if it is no longer remembered. */
  use(nonce: string): boolean {
    const decipher = createDecipheriv('aes-128-ecb', this.#key, null).setAutoPadding(false);
    const serial = decipher.update(Buffer.from(nonce, 'hex')).readUIntBE(0, SERIAL_BYTES);
    if (serial >= this.#next || serial < this.#next - this.#size || this.#isUsed(serial)) return false;
    this.#write(serial, true);
    return true;
  }

  #isUsed(serial: number): boolean {
    const index = serial % this.#size;
    return ((this.#used[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
  }

  #write(serial: number, isUsed: boolean): void {
    const index = serial % this.#size;
    const bit = 1 << (index & 7);
    const byte = this.#used[index >> 3] ?? 0;
    this.#used[index >> 3] = isUsed ? byte | bit : byte & ~bit;
  }
}
