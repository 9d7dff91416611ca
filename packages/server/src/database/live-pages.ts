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
import type { Watcher } from './listen-registry.ts';
import { LivePage } from './live-page.ts';
import { takePageReading } from './page-reading.ts';
import { PageReadings } from './page-readings.ts';

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
  readonly #readings = new PageReadings();

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
    const readings = this.#readings;
    const id = JSON.stringify([name, path, place, limit]);
    const readPage = () => store.read((tx) => readChildPage(tx, treeOf(tx, name), path, place, limit));
    return feeds.open(
      identity,
      name,
      (wake) =>
        new LivePage({
          clock,
          place,
          readPage: () => readings.read(id, () => takePageReading(clock, readPage)),
          readEdges: ({ keys }) => store.read((tx) => readPageEdges(tx, treeOf(tx, name), path, keys)),
          watch: (page) => {
            const watcher: Watcher = {
              noteTouched: (keys) => {
                readings.drop(id);
                page.noteTouched(keys);
              },
            };
            listens.addWatcher(path, watcher);
            return () => {
              listens.removeWatcher(path, watcher);
              // Perhaps nobody watches any more what would make it untrue.
              readings.drop(id);
            };
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
