import { neighborhoodOf } from '../../platform/address-layers.ts';
import { MANY_CLIENTS } from '../../platform/resource-pool.ts';
import { type Rate, TokenBucket } from '../../platform/token-bucket.ts';

/** The rates at which denials are explained and stored. Other denials are only counted. */
const DATABASE_RATE: Rate = { perSecond: 200, burst: 1_000 };
const TOTAL_RATE: Rate = { perSecond: 1_000, burst: 2_000 };

/**
 * The time that explanations may take, in ms: for all clients together, and for the clients of one neighborhood. A rule
 * that reads many paths takes a hundred times as long to explain as a simple one.
 */
const TOTAL_WORK: Rate = { perSecond: 50, burst: 250 };
const NETWORK_WORK: Rate = { perSecond: 25, burst: 125 };

/**
 * Maximum number of databases, and of neighborhoods, with a rate of their own. When one more needs a rate, the rates of
 * all are reset; the total rates still apply.
 */
const MAX_RATES = 1_000;

/** The rates of some names, each full at first. */
class NamedRates {
  readonly #rate: Rate;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  of(name: string, nowMs: number): TokenBucket {
    const known = this.#buckets.get(name);
    if (known !== undefined) return known;
    if (this.#buckets.size >= MAX_RATES) this.#buckets.clear();
    const bucket = new TokenBucket(this.#rate, nowMs);
    this.#buckets.set(name, bucket);
    return bucket;
  }
}

/** Limits how many denials are explained, and the time that this takes. All times are from a clock's `elapsedMs`. */
export class DenialRates {
  readonly #databases = new NamedRates(DATABASE_RATE);
  readonly #neighborhoods = new NamedRates(NETWORK_WORK);
  readonly #total: TokenBucket;
  readonly #totalWork: TokenBucket;

  constructor(nowMs: number) {
    this.#total = new TokenBucket(TOTAL_RATE, nowMs);
    this.#totalWork = new TokenBucket(TOTAL_WORK, nowMs);
  }

  /** Returns whether a denial may be explained. `network` is that of the client; `undefined` if it is not known. */
  take(database: string, network: string | undefined, nowMs: number): boolean {
    const hasTime = this.#worksOf(network, nowMs).every((work) => work.hasToken(nowMs));
    return hasTime && this.#databases.of(database, nowMs).take(nowMs) && this.#total.take(nowMs);
  }

  /** Counts the time that an explanation has taken. */
  spend(network: string | undefined, startedMs: number, endedMs: number): void {
    for (const work of this.#worksOf(network, endedMs)) work.spend(endedMs - startedMs, endedMs);
  }

  #worksOf(network: string | undefined, nowMs: number): readonly TokenBucket[] {
    if (network === undefined || network === MANY_CLIENTS) return [this.#totalWork];
    return [this.#totalWork, this.#neighborhoods.of(neighborhoodOf(network), nowMs)];
  }
}
