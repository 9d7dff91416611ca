import type { ActivitySample } from '@hearth/core/api/activity.ts';
import { LatencyHistogram } from '../latency.ts';
import { type Level, periodAt, type SeriesPoint } from './point.ts';

const NO_SUMS = { reads: 0, writes: 0, denied: 0, sentBytes: 0, receivedBytes: 0, connections: 0 };

/**
 * Time by which the clock may go back without a new period: a period that ended early would later be replaced by its
 * rest. After a larger change, the clock was probably wrong before.
 */
const MAX_SEC_BACK = 3_600;

/** Adds up the seconds of one database into the periods of one level. */
export class PeriodRecorder {
  readonly level: Level;
  #period: number | undefined;
  #sums = NO_SUMS;
  readonly #latency = new LatencyHistogram();

  constructor(level: Level) {
    this.level = level;
  }

  /** Adds a second, with the durations of its requests. The caller must call `close` with its time first. */
  add(sample: ActivitySample, latency: LatencyHistogram): void {
    this.#period ??= periodAt(sample.timeMs, this.level);
    const sums = this.#sums;
    this.#sums = {
      reads: sums.reads + sample.reads,
      writes: sums.writes + sample.writes,
      denied: sums.denied + sample.denied,
      sentBytes: sums.sentBytes + sample.sentBytes,
      receivedBytes: sums.receivedBytes + sample.receivedBytes,
      connections: Math.max(sums.connections, sample.connections),
    };
    latency.addTo(this.#latency);
  }

  /**
   * Ends the period unless it contains the second that ended at `timeMs`, or the clock has gone back. Returns its point, if
   * it has any seconds.
   */
  close(timeMs: number, storeBytes: () => number): SeriesPoint | undefined {
    if (this.#period === undefined) return undefined;
    const periodsBack = this.#period - periodAt(timeMs, this.level);
    if (periodsBack >= 0 && periodsBack * this.level.periodSec <= MAX_SEC_BACK) return undefined;
    const point = {
      ...this.#sums,
      period: this.#period,
      p50Ms: this.#latency.percentileMs(0.5),
      p99Ms: this.#latency.percentileMs(0.99),
      storeBytes: storeBytes(),
    };
    this.#period = undefined;
    this.#sums = NO_SUMS;
    this.#latency.clear();
    return point;
  }
}
