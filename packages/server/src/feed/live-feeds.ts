import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Identity } from '../identity/identity.ts';
import type { Clock } from '../ops/clock.ts';
import { FeedQueue } from './feed-queue.ts';
import { LiveFeed, type LiveFeedOptions } from './live-feed.ts';

/** Most feeds at a time. */
export interface FeedLimits {
  readonly total: number;
  readonly ofDatabase: number;
  /** Of one member or service account; who has the whole server is not counted. */
  readonly ofAsker: number;
}

export interface LiveFeedsOptions {
  readonly clock: Clock;
  readonly limits: FeedLimits;
}

/** What a feed is counted by. */
interface Place {
  readonly database: string;
  readonly asker: string | null;
}

/** All feeds of the process: bounds their number, lets them work in turns, and ends them. */
export class LiveFeeds implements Disposable {
  readonly #options: LiveFeedsOptions;
  readonly #places = new Map<LiveFeed, Place>();
  readonly #queue = new FeedQueue();
  #isClosed = false;

  constructor(options: LiveFeedsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#places.size;
  }

  /** Must be read to its end or returned. Refuses with `request/overload` one that is one too many. */
  open(identity: Identity, database: string, openSource: LiveFeedOptions['openSource']): LiveFeed {
    if (this.#isClosed) throw new Refusal('request/overload');
    const place = { database, asker: askerOf(identity) };
    this.#mustHaveRoom(place);
    const { clock } = this.#options;
    const onEnd = (ended: LiveFeed): void => void this.#places.delete(ended);
    const feed = new LiveFeed({ clock, queue: this.#queue, identity, openSource, onEnd });
    this.#places.set(feed, place);
    return feed;
  }

  /** Ends the feeds of readers whose credentials count no more. */
  revokeCredentials(isRevoked: (identity: Identity) => boolean): void {
    for (const feed of [...this.#places.keys()]) feed.endIfRevoked(isRevoked);
  }

  /** Ends all, and opens no more. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const feed of [...this.#places.keys()]) feed.end();
  }

  #mustHaveRoom({ database, asker }: Place): void {
    const { total, ofDatabase, ofAsker } = this.#options.limits;
    const places = [...this.#places.values()];
    if (asker !== null && places.filter((place) => place.asker === asker).length >= ofAsker)
      throw tooMany(`You have ${ofAsker} live pages open`);
    if (places.filter((place) => place.database === database).length >= ofDatabase)
      throw tooMany(`The database has ${ofDatabase} live pages open`);
    if (places.length >= total) throw tooMany('The server has too many live pages open');
  }
}

function tooMany(finding: string): Refusal {
  return new Refusal('request/overload', `${finding}: close some of them.`);
}

/** Whose feeds are counted together; `null` for those whose are not. */
function askerOf(identity: Identity): string | null {
  const grant = identity.kind === 'guest' ? undefined : identity.grant;
  if (grant === undefined) return null;
  return grant.kind === 'member' ? `${grant.projectId}/${grant.uid}` : grant.serviceAccount;
}
