const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const TWO_POW_63 = 2 ** 63;

/**
 * The one form in which a number is kept: a JavaScript number, except that integers of 64 bits which a
 * double may not hold exactly are bigints. `-0` becomes `0`; integers beyond 64 bits become doubles.
 */
export function canonicalNumber(value: number | bigint): number | bigint {
  if (typeof value === 'number') {
    if (value === 0) return 0;
    if (Number.isSafeInteger(value) || !Number.isInteger(value)) return value;
    // The double -2^63 stays one: sums below 64 bits round to it, and mobile clients tell it from the integer.
    return Math.abs(value) < TWO_POW_63 ? BigInt(value) : value;
  }
  if (value < MIN_INT64 || value > MAX_INT64) return Number(value);
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : value;
}

/**
 * Sum as the increment server value defines it: exact within 64-bit integers, else in doubles.
 * May be infinite; the caller refuses that.
 */
export function addNumbers(a: number | bigint, b: number | bigint): number | bigint {
  const inDoubles = Number(a) + Number(b);
  if (!isInt64(a) || !isInt64(b)) return canonicalNumber(inDoubles);
  // Safe integers whose sum is safe need no bigints.
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(inDoubles)) return inDoubles;
  const sum = BigInt(a) + BigInt(b);
  return sum < MIN_INT64 || sum > MAX_INT64 ? inDoubles : canonicalNumber(sum);
}

/** Is a canonical number an integer of 64 bits? */
function isInt64(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}
