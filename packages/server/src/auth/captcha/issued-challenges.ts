import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { assert } from '@hearth/core/error/assert.ts';

const BLOCK_BYTES = 16;
const SERIAL_BYTES = 6;

/**
 * Number of the latest challenges whose use is remembered. An older challenge is no longer valid. A challenge lives for
 * 120 seconds, so the limit matters only if the server issues more than 34,000 challenges a second.
 */
const MAX_OPEN_CHALLENGES = 4_194_304;

/**
 * Remembers which of the latest challenges were used, in one bit each. Its memory does not grow with the number of
 * clients. The nonce of a challenge is its encrypted serial number, so clients cannot count the challenges.
 */
export class IssuedChallenges {
  /** A `KeyObject`, because Node needs much more time to start a cipher with the bytes of a key. */
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
