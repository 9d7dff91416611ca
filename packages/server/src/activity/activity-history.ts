import { type ActivitySample, type ActivityTotals, sampleBetween, totalsOf } from './activity-sample.ts';
import { LatencyHistogram } from './latency-histogram.ts';

/** Seconds that a sample of the history stands for. */
export const SAMPLE_SEC = 5;

/** A quarter of an hour. */
const MAX_SAMPLES = 180;

/** What was done to one database in the last quarter of an hour, in samples of some seconds. */
export class ActivityHistory {
  readonly #samples: ActivitySample[] = [];
  readonly #latency = new LatencyHistogram();
  #before: ActivityTotals;
  #seconds = 0;

  constructor(totals: ActivityTotals) {
    this.#before = totalsOf(totals);
  }

  /** Oldest first. */
  get samples(): readonly ActivitySample[] {
    return this.#samples;
  }

  /** Has nothing been done in all this time? */
  get isBlank(): boolean {
    return this.#samples.length === MAX_SAMPLES && this.#samples.every(isBlank);
  }

  /** To be called every second, with the times of that second. */
  tick(
    timeMs: number,
    totals: ActivityTotals & { readonly connections: number },
    latency: LatencyHistogram,
  ): void {
    latency.addTo(this.#latency);
    this.#seconds += 1;
    if (this.#seconds < SAMPLE_SEC) return;
    this.#samples.push(sampleBetween(timeMs, this.#before, totals, this.#latency));
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
    this.#before = totalsOf(totals);
    this.#latency.clear();
    this.#seconds = 0;
  }
}

function isBlank({ reads, writes, denied, sentBytes, receivedBytes }: ActivitySample): boolean {
  return reads + writes + denied + sentBytes + receivedBytes === 0;
}
