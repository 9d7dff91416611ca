import { findExpiryMs, type Identity } from '../identity/identity.ts';
import type { Clock } from '../ops/clock.ts';
import { HeldParts, OVER } from '../ops/held-parts.ts';
import type { FeedQueue } from './feed-queue.ts';
import type { FeedSource } from './feed-source.ts';

export interface LiveFeedOptions {
  readonly clock: Clock;
  /** Where it waits for its turn to make something. */
  readonly queue: FeedQueue;
  /** Who reads: the feed ends with that credential. */
  readonly identity: Identity;
  readonly openSource: (wake: () => void) => FeedSource;
  readonly onEnd: (feed: LiveFeed) => void;
}

/** How often something is said though nothing happens, so that nobody on the way takes the connection for dead. */
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
  readonly #identity: Identity;
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
  endIfRevoked(isRevoked: (identity: Identity) => boolean): void {
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
