import { clearInterval, setInterval } from 'node:timers';
import type { ActivityPast, ActivitySample, HistoryRange } from '@hearth/core/api/activity.ts';
import type { Principal } from '../../access/principal.ts';
import {
  type FeedSource,
  type FeedStep,
  feedEvent,
  type LiveFeed,
  type LiveFeeds,
  NOTHING_TO_SEND,
} from '../../http/feed.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Holder } from '../../platform/lease.ts';
import { type ActivityTotals, type DatabaseActivity, SAMPLE_SEC } from './database-activity.ts';
import { LatencyHistogram } from './latency.ts';
import type { ActivitySeries } from './series/activity-series.ts';

/** Activity of all databases since the server started, up to the last second. */
export class ServerTotals implements ActivityTotals {
  reads = 0;
  writes = 0;
  denied = 0;
  sentBytes = 0;
  receivedBytes = 0;
  /** Number of open connections. */
  connections = 0;
  readonly latency = new LatencyHistogram();

  add(sample: ActivitySample): void {
    this.reads += sample.reads;
    this.writes += sample.writes;
    this.denied += sample.denied;
    this.sentBytes += sample.sentBytes;
    this.receivedBytes += sample.receivedBytes;
  }
}

/**
 * Sends the activity of a database: one event `history`, then one event `sample` per second. A slow reader
 * receives only the latest sample.
 */
export class ActivityFeed implements FeedSource {
  readonly #activity: DatabaseActivity;
  readonly #unwatch: () => void;
  #hasBegun = false;
  #latest: ActivitySample | undefined;

  constructor(activity: DatabaseActivity, wake: () => void) {
    this.#activity = activity;
    this.#unwatch = activity.watch((sample) => {
      this.#latest = sample;
      wake();
    });
  }

  next(): FeedStep {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      const { history, connections } = this.#activity;
      return feedEvent('history', JSON.stringify({ sampleSec: SAMPLE_SEC, connections, samples: history }));
    }
    const sample = this.#latest;
    if (sample === undefined) return NOTHING_TO_SEND;
    this.#latest = undefined;
    return feedEvent('sample', JSON.stringify(sample));
  }

  end(): void {
    this.#unwatch();
  }
}

export interface ActivityHistoryOptions {
  readonly clock: Clock;
  readonly feeds: LiveFeeds;
  /** Returns the activities of all databases in use, with their names. */
  readonly activities: () => Iterable<readonly [database: string, activity: DatabaseActivity]>;
  readonly series: Pick<ActivitySeries, 'add' | 'tick' | 'read'>;
  readonly find: (database: string) => DatabaseActivity;
}

const TICK_MS = 1_000;

/**
 * Maximum number of databases whose last 15 minutes are kept. For other databases, a reader sees only the
 * activity after it opened its feed.
 */
const MAX_HISTORIES = 1_000;

/** Samples the counters of all databases once a second. */
export class ActivityHistory implements Disposable {
  /** Totals of all databases. */
  readonly totals = new ServerTotals();
  readonly #options: ActivityHistoryOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ActivityHistoryOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.tick(), TICK_MS);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  find(database: string): DatabaseActivity {
    return this.#options.find(database);
  }

  /**
   * Opens a feed of the events `history` and `sample`. Throws `request/overload` when a feed limit is
   * reached.
   */
  follow(identity: Principal, holder: Holder, database: string): LiveFeed {
    const activity = this.find(database);
    return this.#options.feeds.open(identity, holder, database, (wake) => new ActivityFeed(activity, wake));
  }

  /** Returns the activity of a database in the last hour, day, week or 30 days. */
  readPast(database: string, range: HistoryRange): ActivityPast {
    return this.#options.series.read(database, range);
  }

  tick(): void {
    const { series } = this.#options;
    const nowMs = this.#options.clock.nowMs();
    const all = [...this.#options.activities()];
    let histories = all.filter(([, { hasHistory }]) => hasHistory).length;
    for (const [database, activity] of all) {
      const had = activity.hasHistory;
      activity.tick(nowMs, histories < MAX_HISTORIES, (sample, latency) => {
        this.totals.add(sample);
        latency.addTo(this.totals.latency);
        series.add(database, sample, latency);
      });
      histories += Number(activity.hasHistory) - Number(had);
    }
    series.tick(nowMs);
    this.totals.connections = all.reduce((sum, [, { connections }]) => sum + connections, 0);
  }
}
