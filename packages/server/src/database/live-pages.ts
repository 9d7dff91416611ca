import type { Path } from '@hearth/core/tree/path.ts';
import type { LiveFeed } from '../feed/live-feed.ts';
import type { LiveFeeds } from '../feed/live-feeds.ts';
import type { Identity } from '../identity/identity.ts';
import type { KvRead, KvStore } from '../kv/store.ts';
import type { Clock } from '../ops/clock.ts';
import { type PagePlace, readChildPage, readPageEdges } from '../tree/child-page.ts';
import { NO_TREE, type StoredTree } from '../tree/stored-tree.ts';
import type { Database } from './database.ts';
import { findStoredTree } from './database-directory.ts';
import { LivePage } from './live-page.ts';

export interface LivePagesOptions {
  readonly store: KvStore;
  readonly clock: Clock;
  readonly feeds: LiveFeeds;
  readonly openDatabase: (name: string) => Database;
}

/** Where a page stands that is to be followed. */
export interface LivePageRequest {
  readonly path: Path;
  readonly place: PagePlace;
  readonly limit: number;
}

/** Pages of children that follow what is written, for administrators. */
export class LivePages {
  readonly #options: LivePagesOptions;

  constructor(options: LivePagesOptions) {
    this.#options = options;
  }

  /**
   * Events `page`: at first the page, then again whenever something on it has changed. A database that does not exist has no
   * children until something is written to it.
   */
  open(identity: Identity, name: string, { path, place, limit }: LivePageRequest): LiveFeed {
    const { store, clock, feeds, openDatabase } = this.#options;
    const { listens } = openDatabase(name);
    return feeds.open(
      identity,
      (wake) =>
        new LivePage({
          clock,
          place,
          readPage: () => store.read((tx) => readChildPage(tx, treeOf(tx, name), path, place, limit)),
          readEdges: (shown) => store.read((tx) => readPageEdges(tx, treeOf(tx, name), path, shown)),
          watch: (watcher) => {
            listens.addWatcher(path, watcher);
            return () => listens.removeWatcher(path, watcher);
          },
          wake,
          countPages: () => feeds.count,
        }),
    );
  }
}

function treeOf(tx: KvRead, name: string): StoredTree {
  return findStoredTree(tx, name) ?? NO_TREE;
}
