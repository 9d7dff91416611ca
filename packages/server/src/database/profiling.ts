import type { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import type { Identity } from '../identity/identity.ts';
import { mustBeAdmin } from '../identity/must-be-admin.ts';
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
  readonly #feeds = new Set<ProfileFeed>();

  constructor(options: ProfilingOptions) {
    this.#options = options;
  }

  /** What is done to a database from now on. Refuses others than administrators with `auth/admin-only`. */
  async watch(identity: Identity, name: string): Promise<ProfileFeed> {
    mustBeAdmin(identity);
    const { committer, clock, openDatabase } = this.#options;
    const database = await committer.request((turn) => openDatabase(name, turn));
    const profiler = this.find(name) ?? new Profiler(clock);
    const add = (operationJson: string): void => feed.add(operationJson);
    const feed = new ProfileFeed(() => {
      this.#feeds.delete(feed);
      profiler.remove(add);
      if (profiler.watcherCount > 0) return;
      database.profiler = null;
      this.#watched.delete(name);
    });
    profiler.add(add);
    this.#feeds.add(feed);
    this.#watched.set(name, database);
    database.profiler = profiler;
    return feed;
  }

  /** Who is to be told what is done to a database; `null` if nobody wants to know. */
  find(name: string): Profiler | null {
    return this.#watched.get(name)?.profiler ?? null;
  }

  /** Ends all feeds. */
  [Symbol.dispose](): void {
    for (const feed of [...this.#feeds]) feed.end();
  }
}
