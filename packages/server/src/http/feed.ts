import { RequestError } from '@hearth/core/error/request-error.ts';
import { findExpiryMs, type Principal } from '../access/principal.ts';
import { HeldParts, OVER } from '../platform/byte-parts.ts';
import type { Clock } from '../platform/clock.ts';

/**
 * Lets feeds make what they tell one after the other, one in each turn of the event loop, so that however many are woken
 * together, requests are answered between them. A feed waits in it once at a time: it is no longer than there are feeds.
 */
class FeedQueue {
  readonly #waiting: (() => void)[] = [];

  /** Resolves when it is the caller's turn, which ends when it awaits something else. */
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

/** What a feed has to tell: an event as text of an event stream, or nothing until it is woken or so many ms have passed. */
export type FeedStep =
  | {
      readonly kind: 'event';
      /** Bytes of the text, in order. Others may be told the same ones: nobody changes them. */
      readonly parts: readonly Buffer[];
    }
  | { readonly kind: 'wait'; readonly ms: number };

/** Where the events of one feed come from. It is asked when the reader has taken all before, and never afterwards. */
export interface FeedSource {
  next(): FeedStep;
  /** Called once: nobody asks any more. */
  end(): void;
}

export const NOTHING_TO_SEND: FeedStep = { kind: 'wait', ms: Number.POSITIVE_INFINITY };

/** An event of this name. JSON text has no line breaks. */
export function feedEvent(name: string, json: string): FeedStep {
  return { kind: 'event', parts: [Buffer.from(`event: ${name}\ndata: ${json}\n\n`)] };
}

export interface LiveFeedOptions {
  readonly clock: Clock;
  /** Where it waits for its turn to make something. */
  readonly queue: FeedQueue;
  /** Who reads: the feed ends with that credential. */
  readonly identity: Principal;
  readonly openSource: (wake: () => void) => FeedSource;
  readonly onEnd: (feed: LiveFeed) => void;
}

/** Interval of keep-alive comments, in ms, so that no proxy closes an idle connection. */
const KEEP_ALIVE_MS = 20_000;

const KEEP_ALIVE = ': still there\n\n';
const AUTH_REVOKED = 'event: auth_revoked\ndata: "credential is no longer valid"\n\n';

const NOTHING = Buffer.alloc(0);

/**
 * What is going on, as the text of an event stream for one reader. Nothing is made before the reader has taken what was
 * made before, so that a slow one finds the latest and no backlog. Ends when the reader returns it, when the server ends it,
 * or with the credential, which it says.
 */
export class LiveFeed extends HeldParts {
  readonly #clock: Clock;
  readonly #queue: FeedQueue;
  readonly #identity: Principal;
  readonly #expiresAtMs: number;
  readonly #source: FeedSource;
  readonly #onEnd: (feed: LiveFeed) => void;
  #phase: 'open' | 'revoked' | 'over' = 'open';
  /** Parts of the event that is being told. */
  #left: Buffer[] = [];
  #wake: (() => void) | undefined;

  constructor({ clock, queue, identity, openSource, onEnd }: LiveFeedOptions) {
    super();
    this.#clock = clock;
    this.#queue = queue;
    this.#identity = identity;
    this.#expiresAtMs = findExpiryMs(identity) ?? Number.POSITIVE_INFINITY;
    this.#onEnd = onEnd;
    this.#source = openSource(() => this.#wake?.());
  }

  /** Ends the feed if the credential of its reader counts no more. */
  endIfRevoked(isRevoked: (identity: Principal) => boolean): void {
    if (this.#phase !== 'open' || !isRevoked(this.#identity)) return;
    this.#phase = 'revoked';
    this.#wake?.();
  }

  override end(): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#source.end();
    this.#onEnd(this);
    this.#wake?.();
  }

  override async next(): Promise<IteratorResult<Buffer, void>> {
    const left = this.#phase === 'over' ? undefined : this.#left.shift();
    if (left !== undefined) return { done: false, value: left };
    for (;;) {
      await this.#queue.wait();
      if (this.#phase === 'over') return OVER;
      if (this.#phase === 'revoked' || this.#clock.nowMs() >= this.#expiresAtMs) {
        this.end();
        return part(AUTH_REVOKED);
      }
      const step = this.#source.next();
      if (step.kind === 'event') {
        const [first = NOTHING, ...left] = step.parts;
        this.#left = left;
        return { done: false, value: first };
      }
      const waited = await this.#wait(Math.min(step.ms, KEEP_ALIVE_MS));
      if (waited === 'in-vain' && step.ms > KEEP_ALIVE_MS && this.#phase === 'open') return part(KEEP_ALIVE);
    }
  }

  #wait(ms: number): Promise<'woken' | 'in-vain'> {
    return new Promise((resolve) => {
      const settle = (outcome: 'woken' | 'in-vain'): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve(outcome);
      };
      const timer = setTimeout(() => settle('in-vain'), ms);
      timer.unref();
      this.#wake = () => settle('woken');
    });
  }
}

function part(text: string): IteratorResult<Buffer, void> {
  return { done: false, value: Buffer.from(text) };
}

/** Most feeds at a time. */
export interface FeedLimits {
  readonly total: number;
  readonly ofDatabase: number;
  /** Of one member or service account; who has the whole server is not counted. */
  readonly forContext: number;
}

export interface LiveFeedsOptions {
  readonly clock: Clock;
  readonly limits: FeedLimits;
}

/** What a feed is counted by. */
interface FeedOrigin {
  readonly database: string;
  readonly context: string | null;
}

/** All feeds of the process: bounds their number, lets them work in turns, and ends them. */
export class LiveFeeds implements Disposable {
  readonly #options: LiveFeedsOptions;
  readonly #places = new Map<LiveFeed, FeedOrigin>();
  readonly #queue = new FeedQueue();
  #isClosed = false;

  constructor(options: LiveFeedsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#places.size;
  }

  /** Must be read to its end or returned. Refuses with `request/overload` one that is one too many. */
  open(identity: Principal, database: string, openSource: LiveFeedOptions['openSource']): LiveFeed {
    if (this.#isClosed) throw new RequestError('request/overload');
    const location = { database, context: contextOf(identity) };
    this.#requireCapacity(location);
    const { clock } = this.#options;
    const onEnd = (ended: LiveFeed): void => void this.#places.delete(ended);
    const feed = new LiveFeed({ clock, queue: this.#queue, identity, openSource, onEnd });
    this.#places.set(feed, location);
    return feed;
  }

  /** Ends the feeds of readers whose credentials count no more. */
  revokeCredentials(isRevoked: (identity: Principal) => boolean): void {
    for (const feed of [...this.#places.keys()]) feed.endIfRevoked(isRevoked);
  }

  /** Ends all, and opens no more. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const feed of [...this.#places.keys()]) feed.end();
  }

  #requireCapacity({ database, context }: FeedOrigin): void {
    const { total, ofDatabase, forContext } = this.#options.limits;
    const paths = [...this.#places.values()];
    if (context !== null && paths.filter((location) => location.context === context).length >= forContext)
      throw tooMany(`You have ${forContext} live pages open`);
    if (paths.filter((location) => location.database === database).length >= ofDatabase)
      throw tooMany(`The database has ${ofDatabase} live pages open`);
    if (paths.length >= total) throw tooMany('The server has too many live pages open');
  }
}

function tooMany(finding: string): RequestError {
  return new RequestError('request/overload', `${finding}: close some of them.`);
}

/** Whose feeds are counted together; `null` for those whose are not. */
function contextOf(identity: Principal): string | null {
  const grant = identity.kind === 'guest' ? undefined : identity.grant;
  if (grant === undefined) return null;
  return grant.kind === 'member' ? `${grant.projectId}/${grant.uid}` : grant.serviceAccount;
}
