/**
 * The permutation of Argon2 (RFC 9106, section 3.6) over a block of 1024 bytes, in place: of its 8 rows, then of its 8
 * columns, each 16 words of 64 bits. Here words are of 32 bits, the low half first.
 */
export function permuteBlock(block: Uint32Array): void {
  for (let row = 0; row < 8; row++) permuteWords(block, row * 32, 4);
  for (let column = 0; column < 8; column++) permuteWords(block, column * 4, 32);
}

/** One round over 16 words of 64 bits, which are in 8 pairs that begin `pairStep` apart. */
function permuteWords(block: Uint32Array, start: number, pairStep: number): void {
  const at = (word: number): number => start + (word >> 1) * pairStep + (word & 1) * 2;
  for (let i = 0; i < 4; i++) mix(block, at(i), at(4 + i), at(8 + i), at(12 + i));
  for (let i = 0; i < 4; i++) {
    mix(block, at(i), at(4 + ((i + 1) & 3)), at(8 + ((i + 2) & 3)), at(12 + ((i + 3) & 3)));
  }
}

function mix(v: Uint32Array, a: number, b: number, c: number, d: number): void {
  addProduct(v, a, b);
  rotateDifference(v, d, a, 32);
  addProduct(v, c, d);
  rotateDifference(v, b, c, 24);
  addProduct(v, a, b);
  rotateDifference(v, d, a, 16);
  addProduct(v, c, d);
  rotateDifference(v, b, c, 63);
}

/** x = x + y + 2 × (low half of x) × (low half of y), in 64 bits. */
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

/** x = (x xor y), rotated right by 16, 24, 32 or 63 bits. */
function rotateDifference(v: Uint32Array, x: number, y: number, bits: 16 | 24 | 32 | 63): void {
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

/** The high 32 of the 64 bits of a product of two numbers of 32 bits. */
export function multiplyHigh(x: number, y: number): number {
  const xLow = x & 0xffff;
  const xHigh = x >>> 16;
  const yLow = y & 0xffff;
  const yHigh = y >>> 16;
  const middle = xHigh * yLow + ((xLow * yLow) >>> 16);
  const other = xLow * yHigh + (middle & 0xffff);
  return xHigh * yHigh + (middle >>> 16) + (other >>> 16);
}
