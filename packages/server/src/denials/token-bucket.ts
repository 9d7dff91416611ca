/** How often something may happen. */
export interface Rate {
  readonly perSecond: number;
  /** How often at once, after a time without. */
  readonly burst: number;
}

/** Lets through as much as a rate allows. Full at first. */
export class TokenBucket {
  readonly #rate: Rate;
  #tokens: number;
  #filledAtMs: number;

  /** Times are those of a clock's `elapsedMs`. */
  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#filledAtMs = nowMs;
  }

  /** May it happen now? If so, it counts. */
  take(nowMs: number): boolean {
    const gained = ((nowMs - this.#filledAtMs) / 1_000) * this.#rate.perSecond;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained);
    this.#filledAtMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
