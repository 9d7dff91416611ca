import { type FeedSource, type FeedStep, feedEvent, NOTHING_TO_TELL } from '../feed/feed-source.ts';
import type { DenialPage } from './denial-log.ts';
import { type DenialFilter, isSought } from './denial-search.ts';
import type { LogFollower } from './followed-logs.ts';

export interface DenialFeedOptions {
  /** What the log had when it began to be followed. */
  readonly page: DenialPage;
  readonly filter: DenialFilter;
  readonly follower: LogFollower;
  readonly wake: () => void;
}

/** Tells what is denied: an event `page`, then `denials` with what has come since, latest first. */
export class DenialFeed implements FeedSource {
  readonly #filter: DenialFilter;
  readonly #follower: LogFollower;
  #page: DenialPage | undefined;
  #toldId: number;
  #sampledOut: number;

  constructor({ page, filter, follower, wake }: DenialFeedOptions) {
    this.#filter = filter;
    this.#follower = follower;
    this.#page = page;
    this.#toldId = page.denials[0]?.id ?? 0;
    this.#sampledOut = page.sampledOut;
    follower.wake = wake;
  }

  next(): FeedStep {
    const page = this.#page;
    if (page !== undefined) {
      this.#page = undefined;
      return feedEvent('page', JSON.stringify(page));
    }
    const { latest, sampledOut = this.#sampledOut } = this.#follower.news;
    const denials = latest.filter(({ id }) => id > this.#toldId).toReversed();
    this.#toldId = denials[0]?.id ?? this.#toldId;
    const sought = denials.filter((denial) => isSought(denial, this.#filter));
    if (sought.length === 0 && sampledOut === this.#sampledOut) return NOTHING_TO_TELL;
    this.#sampledOut = sampledOut;
    return feedEvent('denials', JSON.stringify({ denials: sought, sampledOut }));
  }

  end(): void {
    this.#follower.end();
  }
}
