/** So many buckets for each doubling of a time. */
const STEPS_PER_DOUBLING = 4;

/** The last bucket takes all of more than a minute. */
const BUCKETS = 104;

/** How long things took, in buckets each a quarter of a doubling wide, from a microsecond on. */
export class LatencyHistogram {
  readonly #counts = new Uint32Array(BUCKETS);
  #total = 0;
  #sumMs = 0;

  /** All times together. */
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

  /** The time within which a share from 0 to 1 was done, in ms, rounded up to a bucket; `null` if nothing was. */
  percentileMs(share: number): number | null {
    if (this.#total === 0) return null;
    let left = Math.ceil(this.#total * share);
    const bucket = this.#counts.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return upperMicros(bucket) / 1_000;
  }

  /** How many took less than so many ms, counting whole buckets only. */
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

/** The least time that is beyond a bucket. */
function upperMicros(bucket: number): number {
  if (bucket < STEPS_PER_DOUBLING) return bucket + 1;
  const exponent = Math.floor(bucket / STEPS_PER_DOUBLING) + 1;
  return (STEPS_PER_DOUBLING + (bucket % STEPS_PER_DOUBLING) + 1) * 2 ** (exponent - 2);
}
