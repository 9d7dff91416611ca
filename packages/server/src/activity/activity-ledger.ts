import { clearInterval, setInterval } from 'node:timers';
import type { LiveFeed } from '../feed/live-feed.ts';
import type { LiveFeeds } from '../feed/live-feeds.ts';
import type { Identity } from '../identity/identity.ts';
import type { Clock } from '../ops/clock.ts';
import { ActivityFeed } from './activity-feed.ts';
import type { DatabaseActivity } from './database-activity.ts';
import { ServerTotals } from './server-totals.ts';

export interface ActivityLedgerOptions {
  readonly clock: Clock;
  readonly feeds: LiveFeeds;
  /** Those of all databases in use. */
  readonly activities: () => Iterable<DatabaseActivity>;
  readonly find: (database: string) => DatabaseActivity;
}

const TICK_MS = 1_000;

/** Databases whose last quarter of an hour is kept, at a time; of others only what is done from now on can be seen. */
const MAX_HISTORIES = 1_000;

/** Looks at the counters of all databases once a second. */
export class ActivityLedger implements Disposable {
  /** Of all databases together. */
  readonly totals = new ServerTotals();
  readonly #options: ActivityLedgerOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ActivityLedgerOptions) {
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

  /** Events `history` and `sample`. Refuses as all feeds do. */
  follow(identity: Identity, database: string): LiveFeed {
    const activity = this.find(database);
    return this.#options.feeds.open(identity, database, (wake) => new ActivityFeed(activity, wake));
  }

  tick(): void {
    const nowMs = this.#options.clock.nowMs();
    const all = [...this.#options.activities()];
    let histories = all.filter(({ hasHistory }) => hasHistory).length;
    for (const activity of all) {
      const had = activity.hasHistory;
      const sample = activity.tick(nowMs, histories < MAX_HISTORIES, this.totals.latency);
      if (sample !== null) this.totals.add(sample);
      histories += Number(activity.hasHistory) - Number(had);
    }
    this.totals.connections = all.reduce((sum, { connections }) => sum + connections, 0);
  }
}
