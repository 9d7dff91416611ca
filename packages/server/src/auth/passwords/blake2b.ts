const BLOCK_BYTES = 128;
const ROUNDS = 12;

/** The first 64 bits of the fractional parts of the square roots of the first eight primes, as in SHA-512. */
const START: readonly bigint[] = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];

/** Message words of each of ten rounds, in hexadecimal digits. The eleventh round repeats the first. */
const SCHEDULE: readonly string[] = [
  '0123456789abcdef',
  'ea489fd61c02b753',
  'b8c052fdae367194',
  '7931dcbe265a40f8',
  '905724afe1bc683d',
  '2c6a0b834d75fe19',
  'c51fed4a0763928b',
  'db7ec13950f4862a',
  '6fe9b308c2d714a5',
  'a2847615fb9e3cd0',
];

/** Indexes of the words on which the eight mixing steps of a round work: columns, then diagonals. */
const STEPS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

/**
 * Computes BLAKE2b without a key (RFC 7693), with a length of 1 to 64 bytes. Node offers only 64 bytes, and a
 * shorter digest is not a prefix of that. Slow: only for short inputs.
 */
export function blake2b(message: Uint8Array, lengthBytes: number): Uint8Array {
  const state = BigUint64Array.from(START);
  state[0] = wordAt(state, 0) ^ 0x01010000n ^ BigInt(lengthBytes);
  const blocks = Math.max(Math.ceil(message.length / BLOCK_BYTES), 1);
  for (let block = 0; block < blocks; block++) {
    const bytes = new Uint8Array(BLOCK_BYTES);
    bytes.set(message.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES));
    const isLast = block === blocks - 1;
    compress(state, bytes, isLast ? message.length : (block + 1) * BLOCK_BYTES, isLast);
  }
  const digest = new DataView(new ArrayBuffer(64));
  for (const [index, word] of state.entries()) digest.setBigUint64(index * 8, word, true);
  return new Uint8Array(digest.buffer, 0, lengthBytes);
}

function compress(state: BigUint64Array, block: Uint8Array, countedBytes: number, isLast: boolean): void {
  const view = new DataView(block.buffer);
  const message = BigUint64Array.from({ length: 16 }, (_, index) => view.getBigUint64(index * 8, true));
  const work = BigUint64Array.from([...state, ...START]);
  work[12] = wordAt(work, 12) ^ BigInt(countedBytes);
  if (isLast) work[14] = ~wordAt(work, 14);
  for (let round = 0; round < ROUNDS; round++) {
    const order = SCHEDULE[round % SCHEDULE.length] ?? '';
    for (const [step, [a, b, c, d]] of STEPS.entries()) {
      const first = Number.parseInt(order.charAt(2 * step), 16);
      const second = Number.parseInt(order.charAt(2 * step + 1), 16);
      mix(work, a, b, c, d, wordAt(message, first), wordAt(message, second));
    }
  }
  for (let index = 0; index < 8; index++) {
    state[index] = wordAt(state, index) ^ wordAt(work, index) ^ wordAt(work, index + 8);
  }
}

function mix(v: BigUint64Array, a: number, b: number, c: number, d: number, x: bigint, y: bigint): void {
  v[a] = wordAt(v, a) + wordAt(v, b) + x;
  v[d] = rotateRight(wordAt(v, d) ^ wordAt(v, a), 32n);
  v[c] = wordAt(v, c) + wordAt(v, d);
  v[b] = rotateRight(wordAt(v, b) ^ wordAt(v, c), 24n);
  v[a] = wordAt(v, a) + wordAt(v, b) + y;
  v[d] = rotateRight(wordAt(v, d) ^ wordAt(v, a), 16n);
  v[c] = wordAt(v, c) + wordAt(v, d);
  v[b] = rotateRight(wordAt(v, b) ^ wordAt(v, c), 63n);
}

/** Rotates a word. The array truncates values to 64 bits, so the left shift needs no mask. */
function rotateRight(word: bigint, bits: bigint): bigint {
  return (word >> bits) | (word << (64n - bits));
}

function wordAt(words: BigUint64Array, index: number): bigint {
  return words[index] ?? 0n;
}
