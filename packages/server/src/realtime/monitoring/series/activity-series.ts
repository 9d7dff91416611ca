import type { ActivityPast, ActivitySample, HistoryRange } from '@hearth/core/api/activity.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { KvRead, KvStore } from '../../../storage/kv/store.ts';
import type { TransactionScheduler } from '../../../storage/transaction/scheduler.ts';
import type { LatencyHistogram } from '../latency.ts';
import { lastPeriod, mergeIntoSteps, RANGES } from './history.ts';
import { PeriodRecorder } from './period-recorder.ts';
import { RECENT_LEVEL, type SeriesPoint, STORED_LEVELS } from './point.ts';
import { MAX_SERIES, readPoints, type StoredPoint, storePoints } from './series-store.ts';

export interface ActivitySeriesOptions {
  readonly store: KvStore;
  readonly scheduler: TransactionScheduler;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns whether a database is stored. Otherwise clients could fill the series with names that they make up. */
  readonly isStored: (tx: KvRead, database: string) => boolean;
}

/**
 * Maximum number of points of a database that wait to be stored: those of an hour. They only wait while the disk is slow.
 * Beyond it, the oldest are dropped.
 */
const MAX_WAITING = 64;

/** The series of a database that has been active since the server started. */
class RecentSeries {
  readonly #recent = new PeriodRecorder(RECENT_LEVEL);
  readonly #stored = STORED_LEVELS.map((level) => new PeriodRecorder(level));
  /** The points of the last hour, by their position in the ring. */
  readonly #ring: SeriesPoint[] = [];
  #waiting: StoredPoint[] = [];
  latestMs = 0;

  add(sample: ActivitySample, latency: LatencyHistogram): void {
    this.latestMs = sample.timeMs;
    for (const recorder of [this.#recent, ...this.#stored]) recorder.add(sample, latency);
  }

  /** Ends the periods that do not contain `nowMs`. */
  close(nowMs: number, storeBytes: () => number): void {
    const recent = this.#recent.close(nowMs, storeBytes);
    if (recent !== undefined) this.#ring[recent.period % RECENT_LEVEL.periods] = recent;
    for (const [level, recorder] of this.#stored.entries()) {
      const point = recorder.close(nowMs, storeBytes);
      if (point !== undefined) this.#waiting.push({ level, point });
    }
    if (this.#waiting.length > MAX_WAITING) this.#waiting = this.#waiting.slice(-MAX_WAITING);
  }

  /** Returns the points that have not been stored, and forgets them. */
  takeWaiting(): readonly StoredPoint[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  /** Returns the points of the last hour, in any order; some may be older. */
  recentPoints(): readonly SeriesPoint[] {
    return this.#ring.filter((point) => point !== undefined);
  }
}

const HOUR_MS = 3_600_000;

/**
 * Keeps the activity of databases for 30 days in rings of fixed size. Seconds are added up in memory. One transaction a
 * minute stores what has ended, apart from the writes of clients. A database without activity writes nothing.
 */
export class ActivitySeries {
  readonly #options: ActivitySeriesOptions;
  readonly #startedAtMs: number;
  readonly #recent = new Map<string, RecentSeries>();
  #isStoring = false;
  /** The bytes of the store in use at the time of the latest points. They take a quarter of a millisecond to add up. */
  #measured = { timeMs: 0, storeBytes: 0 };

  constructor(options: ActivitySeriesOptions) {
    this.#options = options;
    this.#startedAtMs = options.clock.nowMs();
  }

  /** Adds a second with the durations of its requests. Ignores idle seconds, and databases for which there is no room. */
  add(database: string, sample: ActivitySample, latency: LatencyHistogram): void {
    if (isIdle(sample) && latency.total === 0) return;
    const series = this.#recent.get(database) ?? this.#open(database, sample.timeMs);
    if (series === undefined) return;
    series.close(sample.timeMs, () => this.#storeBytesAt(sample.timeMs));
    series.add(sample, latency);
  }

  /** Ends the periods that are over, and stores them. Must be called every second, after `add`. */
  tick(nowMs: number): void {
    for (const series of this.#recent.values()) series.close(nowMs, () => this.#storeBytesAt(nowMs));
    if (this.#isStoring) return;
    const pointsOf = new Map<string, readonly StoredPoint[]>();
    for (const [database, series] of this.#recent) {
      const points = series.takeWaiting();
      if (points.length > 0) pointsOf.set(database, points);
    }
    if (pointsOf.size > 0) void this.#save(pointsOf, nowMs);
  }

  /** Returns the activity of a database in a range of time that ends with the last period that is over. */
  read(database: string, range: HistoryRange): ActivityPast {
    const { level, source, periodsOfStep, steps } = RANGES[range];
    const last = lastPeriod(this.#options.clock.nowMs(), level);
    const after = last - steps * periodsOfStep;
    const points =
      source === 'recent'
        ? [...(this.#recent.get(database)?.recentPoints() ?? []), ...this.#readBeforeStart(database, after)]
        : this.#readStored(database, source, after, last);
    return mergeIntoSteps(range, points, last);
  }

  /** Returns the minutes of the last hour before the server started, each divided into periods of the recent level. */
  #readBeforeStart(database: string, after: number): readonly SeriesPoint[] {
    const [minutes] = STORED_LEVELS;
    if (minutes === undefined) return [];
    const parts = minutes.periodSec / RECENT_LEVEL.periodSec;
    const started = Math.floor(this.#startedAtMs / (minutes.periodSec * 1_000));
    if (started * parts <= after) return [];
    const points = this.#readStored(database, 0, Math.floor(after / parts), started);
    return points.flatMap((point) =>
      Array.from({ length: parts }, (_, index) => ({
        ...point,
        period: point.period * parts - index,
        reads: point.reads / parts,
        writes: point.writes / parts,
        denied: point.denied / parts,
        sentBytes: point.sentBytes / parts,
        receivedBytes: point.receivedBytes / parts,
      })),
    );
  }

  #readStored(database: string, level: number, after: number, last: number): readonly SeriesPoint[] {
    return this.#options.store.read((tx) => readPoints(tx, database, level, after, last));
  }

  #storeBytesAt(timeMs: number): number {
    if (this.#measured.timeMs !== timeMs)
      this.#measured = { timeMs, storeBytes: this.#options.store.usedBytes() };
    return this.#measured.storeBytes;
  }

  /** Begins the series of a stored database, unless `MAX_SERIES` others have been active in the last hour. */
  #open(database: string, nowMs: number): RecentSeries | undefined {
    if (this.#recent.size >= MAX_SERIES)
      for (const [name, { latestMs }] of this.#recent)
        if (latestMs < nowMs - HOUR_MS) this.#recent.delete(name);
    const { store, isStored } = this.#options;
    if (this.#recent.size >= MAX_SERIES || !store.read((tx) => isStored(tx, database))) return undefined;
    const series = new RecentSeries();
    this.#recent.set(database, series);
    return series;
  }

  /** Stores points. Drops them if the disk takes no writes: the charts then have a gap. */
  async #save(pointsOf: ReadonlyMap<string, readonly StoredPoint[]>, nowMs: number): Promise<void> {
    const { scheduler, logger } = this.#options;
    this.#isStoring = true;
    try {
      await scheduler.request((transaction) => {
        if (transaction.isWritable) storePoints(transaction.tx, pointsOf, nowMs);
      });
    } catch (error) {
      logger.warn({ err: error }, 'the activity of the last minute could not be stored');
    } finally {
      this.#isStoring = false;
    }
  }
}

function isIdle({ reads, writes, denied, sentBytes, receivedBytes, connections }: ActivitySample): boolean {
  return reads + writes + denied + sentBytes + receivedBytes + connections === 0;
}
