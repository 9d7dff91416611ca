import type { LiveFeed } from '../feed/live-feed.ts';
import type { LiveFeeds } from '../feed/live-feeds.ts';
import type { Identity } from '../identity/identity.ts';
import { DenialFeed } from './denial-feed.ts';
import type { DenialLog } from './denial-log.ts';
import type { DenialFilter } from './denial-search.ts';

export interface FollowedDenials extends DenialFilter {
  readonly database: string;
  /** Most denials of the first event. */
  readonly limit: number;
}

/** Follows what is denied in a database. Refuses as all feeds do. */
export async function followDenials(
  log: DenialLog,
  feeds: LiveFeeds,
  identity: Identity,
  { database, limit, ...filter }: FollowedDenials,
): Promise<LiveFeed> {
  const follower = log.follow(database);
  try {
    const page = await log.search(database, { ...filter, limit, before: Number.MAX_SAFE_INTEGER });
    return feeds.open(identity, database, (wake) => new DenialFeed({ page, filter, follower, wake }));
  } catch (error) {
    follower.end();
    throw error;
  }
}
