import type { Principal } from '../../access/principal.ts';
import {
  type FeedSource,
  type FeedStep,
  feedEvent,
  type LiveFeed,
  type LiveFeeds,
  NOTHING_TO_SEND,
} from '../../http/feed.ts';
import type { Holder } from '../../platform/lease.ts';
import type { DenialLog, DenialPage } from './log.ts';
import { type DenialFilter, isMatch, type LogSubscriber } from './search.ts';

export interface DenialFeedOptions {
  /** The first page of the log, read after `follower` subscribed. */
  readonly page: DenialPage;
  readonly filter: DenialFilter;
  readonly follower: LogSubscriber;
  readonly wake: () => void;
}

/** Streams denials: an event `page`, then events `denials` with later denials, latest first. */
export class DenialFeed implements FeedSource {
  readonly #filter: DenialFilter;
  readonly #follower: LogSubscriber;
  #page: DenialPage | undefined;
  #notifiedId: number;
  #sampledOut: number;

  constructor({ page, filter, follower, wake }: DenialFeedOptions) {
    this.#filter = filter;
    this.#follower = follower;
    this.#page = page;
    this.#notifiedId = page.denials[0]?.id ?? 0;
    this.#sampledOut = page.sampledOut;
    follower.wake = wake;
  }

  next(): FeedStep {
    const page = this.#page;
    if (page !== undefined) {
      this.#page = undefined;
      return feedEvent('page', JSON.stringify(page));
    }
    const { latest, sampledOut = this.#sampledOut } = this.#follower.updates;
    const denials = latest.filter(({ id }) => id > this.#notifiedId).toReversed();
    this.#notifiedId = denials[0]?.id ?? this.#notifiedId;
    const matching = denials.filter((denial) => isMatch(denial, this.#filter));
    if (matching.length === 0 && sampledOut === this.#sampledOut) return NOTHING_TO_SEND;
    this.#sampledOut = sampledOut;
    return feedEvent('denials', JSON.stringify({ denials: matching, sampledOut }));
  }

  end(): void {
    this.#follower.end();
  }
}

export interface FollowedDenials extends DenialFilter {
  readonly database: string;
  /** Maximum number of denials in the first event. */
  readonly limit: number;
}

/** Opens a live feed of the denials in a database. Throws the errors of `LiveFeeds.open`. */
export async function followDenials(
  log: DenialLog,
  feeds: LiveFeeds,
  identity: Principal,
  holder: Holder,
  { database, limit, ...filter }: FollowedDenials,
): Promise<LiveFeed> {
  const follower = log.follow(database);
  try {
    const page = await log.search(database, { ...filter, limit, before: Number.MAX_SAFE_INTEGER });
    return feeds.open(identity, holder, database, (wake) => new DenialFeed({ page, filter, follower, wake }));
  } catch (error) {
    follower.end();
    throw error;
  }
}
