import { type FeedSource, type FeedStep, feedEvent, NOTHING_TO_TELL } from '../feed/feed-source.ts';
import { SAMPLE_SEC } from './activity-history.ts';
import type { ActivitySample } from './activity-sample.ts';
import type { DatabaseActivity } from './database-activity.ts';

/** Tells what is done to a database: an event `history`, then one `sample` a second. Who is slow finds the latest alone. */
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
    if (sample === undefined) return NOTHING_TO_TELL;
    this.#latest = undefined;
    return feedEvent('sample', JSON.stringify(sample));
  }

  end(): void {
    this.#unwatch();
  }
}
