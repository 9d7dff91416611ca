import type { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import { findExpiryMs, type Identity } from '../identity/identity.ts';
import { mustSeeAll } from '../identity/must-see-all.ts';
import type { Clock } from '../ops/clock.ts';
import type { Database } from './database.ts';
import { ProfileFeed } from './profile-feed.ts';
import { Profiler } from './profiler.ts';

export interface ProfilingOptions {
  readonly committer: Committer;
  readonly clock: Clock;
  readonly openDatabase: (name: string, turn: Turn) => Database;
}

/** Lets administrators watch what is done to databases. */
export class Profiling implements Disposable {
  readonly #options: ProfilingOptions;
  /** Those that somebody watches. */
  readonly #watched = new Map<string, Database>();
  /** And who watches. */
  readonly #feeds = new Map<ProfileFeed, Identity>();

  constructor(options: ProfilingOptions) {
    this.#options = options;
  }

  /**
   * What is done to a database from now on, until the credential runs out. Refuses with `auth/admin-only` those who do not see
   * all.
   */
  async watch(identity: Identity, name: string): Promise<ProfileFeed> {
    mustSeeAll(identity);
    const { committer, clock, openDatabase } = this.#options;
    const database = await committer.request((turn) => openDatabase(name, turn));
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

  /** Who is to be told what is done to a database; `null` if nobody wants to know. */
  find(name: string): Profiler | null {
    return this.#watched.get(name)?.profiler ?? null;
  }

  /** Ends the feeds of those whose credentials count no more. */
  revokeCredentials(isRevoked: (identity: Identity) => boolean): void {
    for (const [feed, identity] of [...this.#feeds]) if (isRevoked(identity)) feed.end();
  }

  /** Ends all feeds. */
  [Symbol.dispose](): void {
    for (const feed of [...this.#feeds.keys()]) feed.end();
  }
}
