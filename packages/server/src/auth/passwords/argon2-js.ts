import type { Argon2Input } from './argon2.ts';
import { blake2b } from './blake2b.ts';

/**
 * Applies the permutation of Argon2 (RFC 9106, section 3.6) to a block of 1024 bytes, in place: to its 8 rows,
 * then to its 8 columns, each of 16 words of 64 bits. Here words have 32 bits, with the low half first.
 */
function permuteBlock(block: Uint32Array): void {
  for (let row = 0; row < 8; row++) permuteWords(block, row * 32, 4);
  for (let column = 0; column < 8; column++) permuteWords(block, column * 4, 32);
}

/** Runs one round over 16 words of 64 bits, which are in 8 pairs that start `pairStep` apart. */
function permuteWords(block: Uint32Array, start: number, pairStep: number): void {
  const at = (word: number): number => start + (word >> 1) * pairStep + (word & 1) * 2;
  for (let i = 0; i < 4; i++) mix(block, at(i), at(4 + i), at(8 + i), at(12 + i));
  for (let i = 0; i < 4; i++) {
    mix(block, at(i), at(4 + ((i + 1) & 3)), at(8 + ((i + 2) & 3)), at(12 + ((i + 3) & 3)));
  }
}

function mix(v: Uint32Array, a: number, b: number, c: number, d: number): void {
  addProduct(v, a, b);
  xorRotate(v, d, a, 32);
  addProduct(v, c, d);
  xorRotate(v, b, c, 24);
  addProduct(v, a, b);
  xorRotate(v, d, a, 16);
  addProduct(v, c, d);
  xorRotate(v, b, c, 63);
}

/** Sets x to x + y + 2 × (low half of x) × (low half of y), in 64 bits. */
function addProduct(v: Uint32Array, x: number, y: number): void {
  const xLow = v[x] ?? 0;
  const yLow = v[y] ?? 0;
  const productLow = Math.imul(xLow, yLow) >>> 0;
  const productHigh = multiplyHigh(xLow, yLow);
  const low = xLow + yLow + ((productLow << 1) >>> 0);
  const carry = Math.floor(low / 2 ** 32);
  v[x] = low;
  v[x + 1] = (v[x + 1] ?? 0) + (v[y + 1] ?? 0) + ((productHigh << 1) | (productLow >>> 31)) + carry;
}

/** Sets x to (x xor y), rotated right by 16, 24, 32 or 63 bits. */
function xorRotate(v: Uint32Array, x: number, y: number, bits: 16 | 24 | 32 | 63): void {
  const low = (v[x] ?? 0) ^ (v[y] ?? 0);
  const high = (v[x + 1] ?? 0) ^ (v[y + 1] ?? 0);
  if (bits === 32) {
    v[x] = high;
    v[x + 1] = low;
  } else if (bits === 63) {
    v[x] = (low << 1) | (high >>> 31);
    v[x + 1] = (high << 1) | (low >>> 31);
  } else {
    v[x] = (low >>> bits) | (high << (32 - bits));
    v[x + 1] = (high >>> bits) | (low << (32 - bits));
  }
}

/** Returns the high 32 bits of the 64-bit product of two 32-bit numbers. */
function multiplyHigh(x: number, y: number): number {
  const xLow = x & 0xffff;
  const xHigh = x >>> 16;
  const yLow = y & 0xffff;
  const yHigh = y >>> 16;
  const middle = xHigh * yLow + ((xLow * yLow) >>> 16);
  const other = xLow * yHigh + (middle & 0xffff);
  return xHigh * yHigh + (middle >>> 16) + (other >>> 16);
}

export type Argon2Variant = 'argon2d' | 'argon2i' | 'argon2id';
/** 0x13 is the current version. 0x10 was current until 2016. */
export type Argon2Version = 0x10 | 0x13;

/** Numbers of the variants in the input of the hash. */
const VARIANT_NUMBER = { argon2d: 0, argon2i: 1, argon2id: 2 } as const;

const BLOCK_BYTES = 1024;
/** Number of 32-bit words of a block: the low half of each 64-bit word, then the high half. */
const BLOCK_WORDS = BLOCK_BYTES / 4;
/** A pass processes the lanes in four slices. Within a slice, lanes do not read each other's segments. */
const SLICES = 4;
const ADDRESSES_IN_BLOCK = BLOCK_BYTES / 8;
const LONGEST_DIGEST = 64;

/** Position of the current segment in the memory. */
interface Position {
  readonly pass: number;
  readonly lane: number;
  readonly slice: number;
}

/** The memory as lanes of blocks. */
interface Matrix {
  readonly words: Uint32Array;
  readonly lanes: number;
  readonly laneBlocks: number;
  readonly segmentBlocks: number;
}

/**
 * Computes Argon2 (RFC 9106) of either version; used for hashes of version 0x10, which Node does not support.
 * Blocks its thread, for several times as long as Node would.
 */
export function deriveScriptedArgon2(
  variant: Argon2Variant,
  version: Argon2Version,
  input: Argon2Input,
): Uint8Array {
  const { memoryKiB, passes, parallelism } = input.cost;
  const segmentBlocks = Math.floor(memoryKiB / (SLICES * parallelism));
  const laneBlocks = SLICES * segmentBlocks;
  const words = new Uint32Array(parallelism * laneBlocks * BLOCK_WORDS);
  const matrix: Matrix = { words, lanes: parallelism, laneBlocks, segmentBlocks };

  writeFirstBlocks(matrix, digestInput(variant, version, input));
  for (let pass = 0; pass < passes; pass++) {
    for (let slice = 0; slice < SLICES; slice++) {
      for (let lane = 0; lane < parallelism; lane++) {
        fillSegment(matrix, { pass, lane, slice }, variant, version, passes);
      }
    }
  }
  return longDigest(bytesOf(joinLastBlocks(matrix)), input.lengthBytes);
}

function digestInput(variant: Argon2Variant, version: Argon2Version, input: Argon2Input): Uint8Array {
  const { memoryKiB, passes, parallelism } = input.cost;
  const numbers = [parallelism, input.lengthBytes, memoryKiB, passes, version, VARIANT_NUMBER[variant]];
  const texts = [input.password, input.salt, new Uint8Array(), input.associatedData ?? new Uint8Array()];
  return blake2b(
    Buffer.concat([
      ...numbers.map(littleEndian),
      ...texts.flatMap((text) => [littleEndian(text.length), text]),
    ]),
    LONGEST_DIGEST,
  );
}

function writeFirstBlocks({ words, lanes, laneBlocks }: Matrix, seed: Uint8Array): void {
  for (let lane = 0; lane < lanes; lane++) {
    for (let column = 0; column < 2; column++) {
      const bytes = longDigest(Buffer.concat([seed, littleEndian(column), littleEndian(lane)]), BLOCK_BYTES);
      words.set(wordsOf(bytes), (lane * laneBlocks + column) * BLOCK_WORDS);
    }
  }
}

function fillSegment(
  matrix: Matrix,
  at: Position,
  variant: Argon2Variant,
  version: Argon2Version,
  passes: number,
): void {
  const { words, laneBlocks, segmentBlocks } = matrix;
  const isIndependent = variant === 'argon2i' || (variant === 'argon2id' && at.pass === 0 && at.slice < 2);
  const addresses = isIndependent ? new AddressBlocks(matrix, at, variant, passes) : undefined;
  const laneStart = at.lane * laneBlocks;
  const block = new Uint32Array(BLOCK_WORDS);

  for (let index = at.pass === 0 && at.slice === 0 ? 2 : 0; index < segmentBlocks; index++) {
    const column = at.slice * segmentBlocks + index;
    const previous = (laneStart + ((column + laneBlocks - 1) % laneBlocks)) * BLOCK_WORDS;
    const source = addresses?.blockFor(index) ?? words;
    const sourceAt = addresses === undefined ? previous : (index % ADDRESSES_IN_BLOCK) * 2;
    const reference = referenceBlock(matrix, at, index, source[sourceAt] ?? 0, source[sourceAt + 1] ?? 0);

    for (let i = 0; i < BLOCK_WORDS; i++) {
      block[i] = (words[previous + i] ?? 0) ^ (words[reference * BLOCK_WORDS + i] ?? 0);
    }
    const current = (laneStart + column) * BLOCK_WORDS;
    const isAdded = version === 0x13 && at.pass > 0;
    for (let i = 0; i < BLOCK_WORDS; i++)
      words[current + i] = (isAdded ? (words[current + i] ?? 0) : 0) ^ (block[i] ?? 0);
    permuteBlock(block);
    for (let i = 0; i < BLOCK_WORDS; i++) words[current + i] = (words[current + i] ?? 0) ^ (block[i] ?? 0);
  }
}

/** Pseudo-random words that choose references independently of the password. */
class AddressBlocks {
  readonly #input = new Uint32Array(BLOCK_WORDS);
  #block = new Uint32Array(BLOCK_WORDS);
  #counter = 0;

  constructor(matrix: Matrix, { pass, lane, slice }: Position, variant: Argon2Variant, passes: number) {
    const blocks = matrix.lanes * matrix.laneBlocks;
    const numbers = [pass, lane, slice, blocks, passes, VARIANT_NUMBER[variant]];
    for (const [index, number] of numbers.entries()) this.#input[2 * index] = number;
  }

  /**
   * Returns the block that contains the address for the block at `index` of the segment. Callers request
   * indexes in order.
   */
  blockFor(index: number): Uint32Array {
    while (this.#counter <= Math.floor(index / ADDRESSES_IN_BLOCK)) {
      this.#counter++;
      this.#input[12] = this.#counter;
      this.#block = permuted(permuted(this.#input));
    }
    return this.#block;
  }
}

/** Returns the number of the block with which the next one is mixed, from 64 pseudo-random bits. */
function referenceBlock(matrix: Matrix, at: Position, index: number, low: number, high: number): number {
  const { lanes, laneBlocks, segmentBlocks } = matrix;
  const isFirstSlice = at.pass === 0 && at.slice === 0;
  const lane = isFirstSlice ? at.lane : high % lanes;
  const finished = at.pass === 0 ? at.slice * segmentBlocks : laneBlocks - segmentBlocks;
  const area = lane === at.lane ? finished + index - 1 : finished - (index === 0 ? 1 : 0);
  const offset = area - 1 - multiplyHigh(area, multiplyHigh(low, low));
  const start = at.pass === 0 ? 0 : ((at.slice + 1) % SLICES) * segmentBlocks;
  return lane * laneBlocks + ((start + offset) % laneBlocks);
}

function joinLastBlocks({ words, lanes, laneBlocks }: Matrix): Uint32Array {
  const joined = new Uint32Array(BLOCK_WORDS);
  for (let lane = 0; lane < lanes; lane++) {
    const last = ((lane + 1) * laneBlocks - 1) * BLOCK_WORDS;
    for (let i = 0; i < BLOCK_WORDS; i++) joined[i] = (joined[i] ?? 0) ^ (words[last + i] ?? 0);
  }
  return joined;
}

/** Returns the result of mixing a block with zeros. */
function permuted(block: Uint32Array): Uint32Array<ArrayBuffer> {
  const result = block.slice();
  permuteBlock(result);
  return result.map((word, i) => word ^ (block[i] ?? 0));
}

/** Computes a digest of any length from the halves of a chain of digests. */
function longDigest(message: Uint8Array, lengthBytes: number): Uint8Array {
  const first = Buffer.concat([littleEndian(lengthBytes), message]);
  if (lengthBytes <= LONGEST_DIGEST) return blake2b(first, lengthBytes);
  const parts: Uint8Array[] = [];
  let remaining = lengthBytes;
  let digest = blake2b(first, LONGEST_DIGEST);
  for (; remaining > LONGEST_DIGEST; remaining -= LONGEST_DIGEST / 2) {
    parts.push(digest.subarray(0, LONGEST_DIGEST / 2));
    const next = remaining - LONGEST_DIGEST / 2;
    digest = blake2b(digest, Math.min(next, LONGEST_DIGEST));
  }
  return Buffer.concat([...parts, digest]);
}

function littleEndian(number: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(4));
  bytes.setUint32(0, number, true);
  return new Uint8Array(bytes.buffer);
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(index * 4, true));
}

function bytesOf(words: Uint32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(words.length * 4));
  for (const [index, word] of words.entries()) view.setUint32(index * 4, word, true);
  return new Uint8Array(view.buffer);
}
