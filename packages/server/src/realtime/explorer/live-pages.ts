import type { Principal } from '../../access/principal.ts';
import type { LiveFeed, LiveFeeds } from '../../http/feed.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Holder } from '../../platform/lease.ts';
import type { KvRead, KvStore } from '../../storage/kv/store.ts';
import { readPageEdges } from '../../storage/tree/child-page.ts';
import { NO_TREE, type StoredTree } from '../../storage/tree/stored-tree.ts';
import { findStoredTree } from '../database/catalog.ts';
import type { Database } from '../database/database.ts';
import type { Watcher } from '../database/listens.ts';
import type { Reader } from '../database/read-checks.ts';
import { LivePage, type LivePageOptions, PageReadings, type ReadPage, takePageReading } from './live-page.ts';
import { type PageRequest, type ReadAuthorizer, readAuthorizedPage } from './page.ts';

export interface LivePagesOptions {
  readonly store: KvStore;
  readonly clock: Clock;
  readonly feeds: LiveFeeds;
  readonly openDatabase: (name: string) => Database;
}

/** Pages of children that follow writes, for administrators. */
export class LivePages {
  readonly #options: LivePagesOptions;
  readonly #readings = new PageReadings();

  constructor(options: LivePagesOptions) {
    this.#options = options;
  }

  /** Returns the current rules and time for deciding on a user's reads. */
  authorizerFor(name: string, impersonated: Principal): ReadAuthorizer {
    const { clock, openDatabase } = this.#options;
    const auth = impersonated.kind === 'user' ? impersonated.auth : null;
    return { rules: openDatabase(name).rules, auth, nowMs: clock.nowMs() };
  }

  /**
   * Opens a feed of `page` events: first the page, then the page again whenever it has changed. A database that does
   * not exist has no children until the first write. With impersonation, the page shows the children that the
   * impersonated user may read, and is sent again when published rules change that.
   */
  open(
    identity: Principal,
    holder: Holder,
    name: string,
    request: PageRequest,
    impersonated?: Principal,
  ): LiveFeed {
    const { store, clock, feeds } = this.#options;
    const { path, position } = request;
    return feeds.open(
      identity,
      holder,
      name,
      (wake) =>
        new LivePage({
          clock,
          position,
          readEdges: ({ keys }) => store.read((tx) => readPageEdges(tx, treeOf(tx, name), path, keys)),
          ...(impersonated === undefined
            ? this.#shared(name, request)
            : this.#impersonated(name, request, impersonated)),
          wake,
          countPages: () => feeds.count,
        }),
    );
  }

  /** Returns options for subscribers that may read everything: each page is read once for all of them. */
  #shared(name: string, request: PageRequest): Pick<LivePageOptions, 'readPage' | 'watch'> {
    const { clock, openDatabase } = this.#options;
    const { listens } = openDatabase(name);
    const { path, position, limit, previewUnits } = request;
    const readings = this.#readings;
    const id = JSON.stringify([name, path, position, limit, previewUnits]);
    return {
      readPage: () => readings.read(id, () => takePageReading(clock, () => this.#read(name, request))),
      watch: (page) => {
        const watcher: Watcher = {
          onTouched: (keys) => {
            readings.drop(id);
            page.onTouched(keys);
          },
        };
        listens.addWatcher(path, watcher);
        return () => {
          listens.removeWatcher(path, watcher);
          // Without a page subscriber, changes would no longer invalidate the cached reading.
          readings.drop(id);
        };
      },
    };
  }

  /** Returns options for impersonation. The user's permissions can depend on any data, so nothing is cached. */
  #impersonated(
    name: string,
    request: PageRequest,
    impersonated: Principal,
  ): Pick<LivePageOptions, 'readPage' | 'watch'> {
    const { clock, openDatabase } = this.#options;
    const { listens, ruleSubscribers } = openDatabase(name);
    return {
      readPage: () =>
        takePageReading(clock, () => this.#read(name, request, this.authorizerFor(name, impersonated))),
      watch: (page) => {
        const ruleSubscriber: Reader = {
          readChecks: () => [(transaction) => transaction.onCommit(() => page.onRulesChanged())],
          end: () => page.onRulesChanged(),
        };
        listens.addWatcher(request.path, page);
        ruleSubscribers.add(ruleSubscriber);
        return () => {
          listens.removeWatcher(request.path, page);
          ruleSubscribers.delete(ruleSubscriber);
        };
      },
    };
  }

  #read(name: string, request: PageRequest, authorizer?: ReadAuthorizer): ReadPage {
    return this.#options.store.read((tx) => readAuthorizedPage(tx, treeOf(tx, name), request, authorizer));
  }
}

function treeOf(tx: KvRead, name: string): StoredTree {
  return findStoredTree(tx, name) ?? NO_TREE;
}
