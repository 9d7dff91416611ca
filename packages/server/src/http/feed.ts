import { RequestError } from '@hearth/core/error/request-error.ts';
import type { LiveConnections } from '../access/live-connections.ts';
import { findExpiryMs, type Principal } from '../access/principal.ts';
import type { Clock } from '../platform/clock.ts';
import type { Holder, Lease } from '../platform/lease.ts';
import { ResourcePool } from '../platform/resource-pool.ts';
import { END_OF_PARTS, ReleasableParts } from './byte-parts.ts';

/**
 * Lets feeds generate their events one at a time, one per iteration of the event loop. The server can
 * therefore answer requests in between, even when many feeds wake together. Each feed waits in the queue at
 * most once at a time, so the queue is never longer than the number of feeds.
 */
class FeedQueue {
  readonly #waiting: (() => void)[] = [];

  /** Resolves when the caller may generate an event. The caller's slot ends when it awaits something else. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#serve());
    });
  }

  #serve(): void {
    this.#waiting[0]?.();
    this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(() => this.#serve());
  }
}

/**
 * The next step of a feed: an event as event-stream text, or nothing until the feed is woken or `ms`
 * milliseconds have passed.
 */
export type FeedStep =
  | {
      readonly kind: 'event';
      /** Bytes of the text, in order. Several feeds may share these buffers, so they must not be modified. */
      readonly parts: readonly Buffer[];
    }
  | { readonly kind: 'wait'; readonly ms: number };

/**
 * The source of the events of one feed. The feed calls `next` when the reader has taken all earlier events,
 * and never after `end`. From its creation on, the source follows changes and wakes its feed for each of them. It
 * also reports the changes that happen before the first event.
 */
export interface FeedSource {
  /** Returns the current state first, and then one event for all changes since the last event. */
  next(): FeedStep;
  /** Stops following changes. Called once. The feed does not call `next` after this. */
  end(): void;
}

export const NOTHING_TO_SEND: FeedStep = { kind: 'wait', ms: Number.POSITIVE_INFINITY };

/** Returns an event with this name. `json` must be JSON text without line breaks. */
export function feedEvent(name: string, json: string): FeedStep {
  return { kind: 'event', parts: [Buffer.from(`event: ${name}\ndata: ${json}\n\n`)] };
}

export interface LiveFeedOptions {
  readonly clock: Clock;
  /** The queue in which the feed waits before it generates an event. */
  readonly queue: FeedQueue;
  /**
   * The principal of the reader. The feed ends when the credential of this principal expires or is revoked.
   */
  readonly principal: Principal;
  /** Released when the feed ends. */
  readonly place: Lease;
  readonly openSource: (wake: () => void) => FeedSource;
  readonly onEnd: (feed: LiveFeed) => void;
}

/** Interval of keep-alive comments, in ms, so that no proxy closes an idle connection. */
export const KEEP_ALIVE_MS = 20_000;

export const KEEP_ALIVE = ': still there\n\n';
const AUTH_REVOKED = 'event: auth_revoked\ndata: "credential is no longer valid"\n\n';

const NOTHING = Buffer.alloc(0);

/**
 * A feed of live events for one reader, as event-stream text. The feed generates an event only after the
 * reader has taken the previous one, so that a slow reader receives the latest state and no events accumulate.
 * The feed ends when the reader calls `return`, when the server ends it, or when the reader's credential ends. In
 * the last case, the last event is `auth_revoked`.
 */
export class LiveFeed extends ReleasableParts {
  readonly #clock: Clock;
  readonly #queue: FeedQueue;
  readonly #principal: Principal;
  readonly #expiresAtMs: number;
  readonly #source: FeedSource;
  readonly #place: Lease;
  readonly #broken = new AbortController();
  readonly #onEnd: (feed: LiveFeed) => void;
  #phase: 'open' | 'revoked' | 'over' = 'open';
  /** Remaining parts of the event that is being sent. */
  #remainingParts: Buffer[] = [];
  #wake: (() => void) | undefined;

  constructor({ clock, queue, principal, place, openSource, onEnd }: LiveFeedOptions) {
    super();
    this.#clock = clock;
    this.#queue = queue;
    this.#principal = principal;
    this.#place = place;
    this.#expiresAtMs = findExpiryMs(principal) ?? Number.POSITIVE_INFINITY;
    this.#onEnd = onEnd;
    this.#source = openSource(() => this.#wake?.());
  }

  /** Ends the feed if the reader's credential is no longer valid. */
  endIfRevoked(isRevoked: (principal: Principal) => boolean): void {
    if (this.#phase !== 'open' || !isRevoked(this.#principal)) return;
    this.#phase = 'revoked';
    this.#wake?.();
  }

  /** Aborted by `stop`, also while the reader does not ask for an event. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** Ends the feed without a request of its reader. */
  stop(): void {
    this.end();
    this.#broken.abort();
  }

  override end(): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#place.release();
    this.#source.end();
    this.#onEnd(this);
    this.#wake?.();
  }

  override async next(): Promise<IteratorResult<Buffer, void>> {
    this.#place.recordProgress();
    const nextPart = this.#phase === 'over' ? undefined : this.#remainingParts.shift();
    if (nextPart !== undefined) return { done: false, value: nextPart };
    for (;;) {
      await this.#queue.wait();
      if (this.#phase === 'over') return END_OF_PARTS;
      if (this.#phase === 'revoked' || this.#clock.nowMs() >= this.#expiresAtMs) {
        this.end();
        return part(AUTH_REVOKED);
      }
      const step = this.#source.next();
      if (step.kind === 'event') {
        const [first = NOTHING, ...remainingParts] = step.parts;
        this.#remainingParts = remainingParts;
        return { done: false, value: first };
      }
      const waited = await this.#wait(Math.min(step.ms, KEEP_ALIVE_MS));
      if (waited === 'timed-out' && step.ms > KEEP_ALIVE_MS && this.#phase === 'open')
        return part(KEEP_ALIVE);
    }
  }

  #wait(ms: number): Promise<'woken' | 'timed-out'> {
    return new Promise((resolve) => {
      const settle = (outcome: 'woken' | 'timed-out'): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve(outcome);
      };
      const timer = setTimeout(() => settle('timed-out'), ms);
      timer.unref();
      this.#wake = () => settle('woken');
    });
  }
}

function part(text: string): IteratorResult<Buffer, void> {
  return { done: false, value: Buffer.from(text) };
}

export interface LiveFeedsOptions {
  readonly clock: Clock;
  /** The places for the feeds of all readers. */
  readonly places: ResourcePool;
  /**
   * Maximum number of feeds of one database, so that the readers of one database leave places for the readers of
   * others.
   */
  readonly maxOfDatabase: number;
}

/** All feeds of the process. Limits their number, schedules their work, and ends them. */
export class LiveFeeds implements Disposable, LiveConnections {
  readonly #options: LiveFeedsOptions;
  readonly #feeds = new Set<LiveFeed>();
  /** The places for feeds of each database that has any. Members and service accounts share them as networks do. */
  readonly #databases = new Map<string, ResourcePool>();
  readonly #queue = new FeedQueue();
  #isClosed = false;

  constructor(options: LiveFeedsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#feeds.size;
  }

  /**
   * Opens a feed. The caller must read the feed to the end or call `return`. Throws `request/overload` when a limit is
   * reached.
   */
  open(
    principal: Principal,
    holder: Holder,
    database: string,
    openSource: LiveFeedOptions['openSource'],
  ): LiveFeed {
    if (this.#isClosed) throw new RequestError('request/overload');
    const { clock, places } = this.#options;
    let feed: LiveFeed | undefined;
    const stop = (): void => feed?.stop();
    const placeOfDatabase = this.#takePlaceOf(database, holder, stop);
    const onEnd = (ended: LiveFeed): void => {
      this.#feeds.delete(ended);
      placeOfDatabase.release();
      this.#forget(database);
    };
    try {
      const place = places.requirePlace(holder, 'live pages', stop);
      feed = this.#create({ clock, queue: this.#queue, principal, place, openSource, onEnd });
      this.#feeds.add(feed);
      return feed;
    } catch (error) {
      placeOfDatabase.release();
      this.#forget(database);
      throw error;
    }
  }

  /**
   * Takes a place of a database. If all are taken, the reader with the most feeds loses its oldest feed to a reader
   * with fewer feeds. Throws `request/overload` if no other reader has more.
   */
  #takePlaceOf(database: string, { network, identity }: Holder, evict: () => void): Lease {
    const { clock, maxOfDatabase } = this.#options;
    const limits = {
      total: maxOfDatabase,
      reserve: 0,
      ofNetwork: maxOfDatabase,
      idleMs: Number.POSITIVE_INFINITY,
    };
    const pool = this.#databases.get(database) ?? new ResourcePool(limits, clock.elapsedMs);
    const reader = { network: identity ?? network, isPrivileged: false };
    const place = pool.take(reader, 1, evict);
    if (place === undefined)
      throw new RequestError(
        'request/overload',
        `The database has ${maxOfDatabase} live pages open: close some of them.`,
      );
    // An eviction may have emptied the pool for a moment.
    this.#databases.set(database, pool);
    return place;
  }

  /** Forgets the places of a database without feeds. */
  #forget(database: string): void {
    if (this.#databases.get(database)?.usage.used === 0) this.#databases.delete(database);
  }

  #create(options: LiveFeedOptions): LiveFeed {
    try {
      return new LiveFeed(options);
    } catch (error) {
      options.place.release();
      throw error;
    }
  }

  /** Ends the feeds of readers whose credentials are no longer valid. */
  revokeCredentials(isRevoked: (principal: Principal) => boolean): void {
    for (const feed of [...this.#feeds]) feed.endIfRevoked(isRevoked);
  }

  /** Ends all feeds and opens no more. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const feed of [...this.#feeds]) feed.end();
  }
}
