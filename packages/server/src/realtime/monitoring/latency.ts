/** Number of buckets for each doubling of a duration. */
const STEPS_PER_DOUBLING = 4;

/** Number of buckets. The last one holds all durations from about two minutes on. */
const BUCKETS = 104;

/**
 * A histogram of durations. The buckets start at one microsecond, and each is a quarter of a doubling wide.
 */
export class LatencyHistogram {
  readonly #counts = new Uint32Array(BUCKETS);
  #total = 0;
  #sumMs = 0;

  /** Sum of all durations, in ms. */
  get sumMs(): number {
    return this.#sumMs;
  }

  get total(): number {
    return this.#total;
  }

  record(ms: number): void {
    const bucket = bucketOf(ms * 1_000);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#total += 1;
    this.#sumMs += ms;
  }

  /**
   * Returns the duration in ms within which the given share of operations completed, rounded up to the end of
   * a bucket; `null` if the histogram is empty. `share` is from 0 to 1.
   */
  percentileMs(share: number): number | null {
    if (this.#total === 0) return null;
    let left = Math.ceil(this.#total * share);
    const bucket = this.#counts.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return upperMicros(bucket) / 1_000;
  }

  /** Returns the number of durations below `ms`. Counts only buckets that are completely below it. */
  countBelow(ms: number): number {
    let count = 0;
    for (let bucket = 0; bucket < BUCKETS && upperMicros(bucket) <= ms * 1_000; bucket++)
      count += this.#counts[bucket] ?? 0;
    return count;
  }

  addTo(sum: LatencyHistogram): void {
    for (const [bucket, count] of this.#counts.entries())
      if (count > 0) sum.#counts[bucket] = (sum.#counts[bucket] ?? 0) + count;
    sum.#total += this.#total;
    sum.#sumMs += this.#sumMs;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#total = 0;
    this.#sumMs = 0;
  }
}

function bucketOf(micros: number): number {
  const whole = Math.min(micros, 0x7fff_ffff) | 0;
  if (whole < STEPS_PER_DOUBLING) return Math.max(whole, 0);
  const exponent = 31 - Math.clz32(whole);
  const step = (whole >> (exponent - 2)) & (STEPS_PER_DOUBLING - 1);
  return Math.min((exponent - 1) * STEPS_PER_DOUBLING + step, BUCKETS - 1);
}

/** Returns the exclusive upper bound of a bucket, in microseconds. */
function upperMicros(bucket: number): number {
  if (bucket < STEPS_PER_DOUBLING) return bucket + 1;
  const exponent = Math.floor(bucket / STEPS_PER_DOUBLING) + 1;
  return (STEPS_PER_DOUBLING + (bucket % STEPS_PER_DOUBLING) + 1) * 2 ** (exponent - 2);
}
