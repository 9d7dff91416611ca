import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Identity } from '../identity/identity.ts';
import type { Clock } from '../ops/clock.ts';
import { LiveFeed, type LiveFeedOptions } from './live-feed.ts';

export interface LiveFeedsOptions {
  readonly clock: Clock;
  /** Most feeds at a time. */
  readonly maxFeeds: number;
}

/** All feeds of the process: bounds their number, and ends them. */
export class LiveFeeds implements Disposable {
  readonly #options: LiveFeedsOptions;
  readonly #feeds = new Set<LiveFeed>();
  #isClosed = false;

  constructor(options: LiveFeedsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#feeds.size;
  }

  /** Must be read to its end or returned. Refuses with `request/overload` one that is one too many. */
  open(identity: Identity, openSource: LiveFeedOptions['openSource']): LiveFeed {
    if (this.#isClosed) throw new Refusal('request/overload');
    if (this.#feeds.size >= this.#options.maxFeeds)
      throw new Refusal('request/overload', 'The server has too many live pages open: close some of them.');
    const { clock } = this.#options;
    const onEnd = (ended: LiveFeed): void => void this.#feeds.delete(ended);
    const feed = new LiveFeed({ clock, identity, openSource, onEnd });
    this.#feeds.add(feed);
    return feed;
  }

  /** Ends the feeds of readers whose credentials count no more. */
  revokeCredentials(isRevoked: (identity: Identity) => boolean): void {
    for (const feed of [...this.#feeds]) feed.endIfRevoked(isRevoked);
  }

  /** Ends all, and opens no more. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const feed of [...this.#feeds]) feed.end();
  }
}
