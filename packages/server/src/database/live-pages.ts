import type { LiveFeed } from '../feed/live-feed.ts';
import type { LiveFeeds } from '../feed/live-feeds.ts';
import type { Identity } from '../identity/identity.ts';
import type { KvRead, KvStore } from '../kv/store.ts';
import type { Clock } from '../ops/clock.ts';
import { readPageEdges } from '../tree/child-page.ts';
import { NO_TREE, type StoredTree } from '../tree/stored-tree.ts';
import type { Database, Reader } from './database.ts';
import { findStoredTree } from './database-directory.ts';
import { type PageRequest, readJudgedPage } from './judge-page.ts';
import type { ReadJudge } from './judge-reads.ts';
import type { Watcher } from './listen-registry.ts';
import { LivePage, type LivePageOptions } from './live-page.ts';
import { type ReadPage, takePageReading } from './page-reading.ts';
import { PageReadings } from './page-readings.ts';

export interface LivePagesOptions {
  readonly store: KvStore;
  readonly clock: Clock;
  readonly feeds: LiveFeeds;
  readonly openDatabase: (name: string) => Database;
}

/** Pages of children that follow what is written, for administrators. */
export class LivePages {
  readonly #options: LivePagesOptions;
  readonly #readings = new PageReadings();

  constructor(options: LivePagesOptions) {
    this.#options = options;
  }

  /** By which rules somebody's reads are judged now. */
  judgeOf(name: string, standIn: Identity): ReadJudge {
    const { clock, openDatabase } = this.#options;
    const auth = standIn.kind === 'user' ? standIn.auth : null;
    return { rules: openDatabase(name).rules, auth, nowMs: clock.nowMs() };
  }

  /**
   * Events `page`: at first the page, then again whenever something on it has changed. A database that does not exist has no
   * children until something is written to it. With a stand-in, the page is as rules let that one read it, and told again when
   * rules are published that change that.
   */
  open(identity: Identity, name: string, request: PageRequest, standIn?: Identity): LiveFeed {
    const { store, clock, feeds } = this.#options;
    const { path, place } = request;
    return feeds.open(
      identity,
      name,
      (wake) =>
        new LivePage({
          clock,
          place,
          readEdges: ({ keys }) => store.read((tx) => readPageEdges(tx, treeOf(tx, name), path, keys)),
          ...(standIn === undefined ? this.#shared(name, request) : this.#judged(name, request, standIn)),
          wake,
          countPages: () => feeds.count,
        }),
    );
  }

  /** For everybody who sees all: read once for all of them. */
  #shared(name: string, request: PageRequest): Pick<LivePageOptions, 'readPage' | 'watch'> {
    const { clock, openDatabase } = this.#options;
    const { listens } = openDatabase(name);
    const { path, place, limit } = request;
    const readings = this.#readings;
    const id = JSON.stringify([name, path, place, limit]);
    return {
      readPage: () => readings.read(id, () => takePageReading(clock, () => this.#read(name, request))),
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
    };
  }

  /** For one who acts for another: what that one may read can depend on anything, so nothing is kept of it. */
  #judged(
    name: string,
    request: PageRequest,
    standIn: Identity,
  ): Pick<LivePageOptions, 'readPage' | 'watch'> {
    const { clock, openDatabase } = this.#options;
    const { listens, onlookers } = openDatabase(name);
    return {
      readPage: () => takePageReading(clock, () => this.#read(name, request, this.judgeOf(name, standIn))),
      watch: (page) => {
        const onlooker: Reader = { recheckReads: (turn) => turn.afterwards(() => page.noteJudgedAnew()) };
        listens.addWatcher(request.path, page);
        onlookers.add(onlooker);
        return () => {
          listens.removeWatcher(request.path, page);
          onlookers.delete(onlooker);
        };
      },
    };
  }

  #read(name: string, request: PageRequest, judge?: ReadJudge): ReadPage {
    return this.#options.store.read((tx) => readJudgedPage(tx, treeOf(tx, name), request, judge));
  }
}

function treeOf(tx: KvRead, name: string): StoredTree {
  return findStoredTree(tx, name) ?? NO_TREE;
}
