import type { LiveConnections } from '../../access/live-connections.ts';
import { findExpiryMs, type Principal } from '../../access/principal.ts';
import { requireReadAll } from '../../access/rights.ts';
import { END_OF_PARTS, ReleasableParts } from '../../http/byte-parts.ts';
import { KEEP_ALIVE, KEEP_ALIVE_MS } from '../../http/feed.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Database } from '../database/database.ts';
import { Profiler } from './profiler.ts';

/** While more text than this waits for the reader, in UTF-16 code units, new operations are dropped and counted. */
const MAX_WAITING_UNITS = 4 * 2 ** 20;

const GREETING = ': profiling\n\n';

/**
 * An event stream of profiled operations for one reader. Ends when the reader returns it or the server ends it.
 * If the reader is too slow, operations are dropped, and the stream reports their number in a comment.
 */
export class ProfileFeed extends ReleasableParts {
  readonly #onEnd: () => void;
  /** The first text is sent immediately, because the response begins with it. */
  #waiting = [GREETING];
  #units = 0;
  #dropped = 0;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(onEnd: () => void) {
    super();
    this.#onEnd = onEnd;
  }

  add(operationJson: string): void {
    if (this.#isOver) return;
    if (this.#units > MAX_WAITING_UNITS) {
      this.#dropped++;
      return;
    }
    this.#units += operationJson.length;
    this.#waiting.push(`event: log\ndata: ${operationJson}\n\n`);
    this.#wake?.();
  }

  override end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
    this.#wake?.();
  }

  override async next(): Promise<IteratorResult<Buffer, void>> {
    if (this.#waiting.length === 0 && !this.#isOver) await this.#waitForText();
    if (this.#isOver) return END_OF_PARTS;
    const text = this.#waiting.length === 0 ? KEEP_ALIVE : this.#waiting.join('');
    const droppedComment = this.#dropped === 0 ? '' : `: ${this.#dropped} operations were left out\n\n`;
    this.#waiting = [];
    this.#units = 0;
    this.#dropped = 0;
    return { done: false, value: Buffer.from(text + droppedComment) };
  }

  /** Resolves when there is something to send: an operation, the end, or the next keep-alive comment. */
  #waitForText(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), KEEP_ALIVE_MS);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}

export interface ProfilingOptions {
  readonly scheduler: TransactionScheduler;
  readonly clock: Clock;
  readonly openDatabase: (name: string, transaction: WriteTransaction) => Database;
}

/** Lets administrators watch the operations on databases. */
export class Profiling implements Disposable, LiveConnections {
  readonly #options: ProfilingOptions;
  /** Databases with at least one watcher. */
  readonly #watched = new Map<string, Database>();
  /** Open feeds and their principals. */
  readonly #feeds = new Map<ProfileFeed, Principal>();

  constructor(options: ProfilingOptions) {
    this.#options = options;
  }

  /**
   * Opens a feed of the operations on a database from now on, until the credential expires. Throws
   * `auth/admin-only` unless the principal may read everything.
   */
  async watch(identity: Principal, name: string): Promise<ProfileFeed> {
    requireReadAll(identity);
    const { scheduler, clock, openDatabase } = this.#options;
    const database = await scheduler.request((transaction) => openDatabase(name, transaction));
    const profiler = this.find(name) ?? new Profiler(clock);
    const expiresAtMs = findExpiryMs(identity) ?? Number.POSITIVE_INFINITY;
    const add = (operationJson: string): void => {
      if (clock.nowMs() < expiresAtMs) feed.add(operationJson);
      else feed.end();
    };
    const feed = new ProfileFeed(() => {
      this.#feeds.delete(feed);
      profiler.remove(add);
      if (profiler.watcherCount > 0) return;
      database.profiler = null;
      this.#watched.delete(name);
    });
    profiler.add(add);
    this.#feeds.set(feed, identity);
    this.#watched.set(name, database);
    database.profiler = profiler;
    return feed;
  }

  /** Returns the profiler of a database, or `null` if it has no watchers. */
  find(name: string): Profiler | null {
    return this.#watched.get(name)?.profiler ?? null;
  }

  /** Ends the feeds of revoked credentials. */
  revokeCredentials(isRevoked: (identity: Principal) => boolean): void {
    for (const [feed, identity] of [...this.#feeds]) if (isRevoked(identity)) feed.end();
  }

  /** Ends all feeds. */
  [Symbol.dispose](): void {
    for (const feed of [...this.#feeds.keys()]) feed.end();
  }
}
