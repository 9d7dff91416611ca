/** How often an operation is allowed. */
export interface Rate {
  readonly perSecond: number;
  /** Maximum number of operations without a pause, after a period without any. */
  readonly burst: number;
}

/** A rate limiter: a token bucket that is full at first. */
export class TokenBucket {
  readonly #rate: Rate;
  #tokens: number;
  #filledAtMs: number;

  /** `nowMs` here and in `take` is a time from a clock's `elapsedMs`. */
  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#filledAtMs = nowMs;
  }

  /** Takes a token. Returns false if the rate is exceeded. */
  take(nowMs: number): boolean {
    if (!this.hasToken(nowMs)) return false;
    this.#tokens--;
    return true;
  }

  /** Returns whether `take` would succeed. */
  hasToken(nowMs: number): boolean {
    this.#fill(nowMs);
    return this.#tokens >= 1;
  }

  /** Takes any number of tokens, even more than there are: the debt delays the next token. */
  spend(tokens: number, nowMs: number): void {
    this.#fill(nowMs);
    this.#tokens -= tokens;
  }

  #fill(nowMs: number): void {
    const gained = ((nowMs - this.#filledAtMs) / 1_000) * this.#rate.perSecond;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained);
    this.#filledAtMs = nowMs;
  }
}
