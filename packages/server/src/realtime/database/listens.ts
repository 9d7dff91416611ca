import type { Entry, Query } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { joinPaths, type Path, ROOT } from '@hearth/core/tree/path.ts';
import type { Receiver } from '../../storage/transaction/transaction.ts';

/** A receiver's subscription to a query. The tag marks the messages sent for it. */
export interface QuerySubscription {
  readonly receiver: Receiver;
  readonly tag: number;
}

/** A query with subscribers. It is evaluated once per write, however many subscribers it has. */
export interface QueryListen {
  readonly path: Path;
  /** Canonical text of the query as clients send it. */
  readonly id: string;
  readonly query: Query;
  /**
   * Entries of the children in the window of a limited query, in query order. `null` for a query without a
   * limit, where the range alone decides which children are included.
   */
  window: readonly Entry[] | null;
  readonly subscriptions: Set<QuerySubscription>;
}

/** A subscriber that is notified of touched locations, without their values. */
export interface Watcher {
  /**
   * Called after a durable commit with the keys of the touched children. The set is empty if only the node's
   * own priority changed. `null` means a write at the node or above it.
   */
  onTouched(keys: ReadonlySet<Key> | null): void;
}

/** A location with listens at it or below it. */
export interface ListenLocation {
  readonly path: Path;
  readonly children: ReadonlyMap<Key, ListenLocation>;
  /** Receivers that listen to the whole node. */
  readonly defaults: ReadonlySet<Receiver>;
  readonly queries: ReadonlyMap<string, QueryListen>;
  readonly watchers: ReadonlySet<Watcher>;
}

const NO_CHILDREN: ReadonlyMap<Key, LazyListenLocation> = new Map();
const NO_DEFAULTS: ReadonlySet<Receiver> = new Set();
const NO_QUERIES: ReadonlyMap<string, QueryListen> = new Map();
const NO_WATCHERS: ReadonlySet<Watcher> = new Set();

/**
 * A location that allocates its collections when first needed: most locations have one listen and nothing
 * below.
 */
class LazyListenLocation implements ListenLocation {
  readonly path: Path;
  #children: Map<Key, LazyListenLocation> | undefined;
  #defaults: Set<Receiver> | undefined;
  #queries: Map<string, QueryListen> | undefined;
  #watchers: Set<Watcher> | undefined;

  constructor(path: Path) {
    this.path = path;
  }

  get children(): ReadonlyMap<Key, LazyListenLocation> {
    return this.#children ?? NO_CHILDREN;
  }

  get defaults(): ReadonlySet<Receiver> {
    return this.#defaults ?? NO_DEFAULTS;
  }

  get queries(): ReadonlyMap<string, QueryListen> {
    return this.#queries ?? NO_QUERIES;
  }

  get watchers(): ReadonlySet<Watcher> {
    return this.#watchers ?? NO_WATCHERS;
  }

  get isEmpty(): boolean {
    return this.children.size === 0 && !isListenedTo(this);
  }

  openChild(key: Key): LazyListenLocation {
    this.#children ??= new Map();
    let child = this.#children.get(key);
    if (child === undefined) {
      child = new LazyListenLocation(joinPaths(this.path, [key]));
      this.#children.set(key, child);
    }
    return child;
  }

  removeChild(key: Key): void {
    this.#children?.delete(key);
  }

  /** Returns whether the receiver was added: false if it was there before. */
  addDefault(receiver: Receiver): boolean {
    this.#defaults ??= new Set();
    const isNew = !this.#defaults.has(receiver);
    this.#defaults.add(receiver);
    return isNew;
  }

  /** Returns whether the receiver was there. */
  removeDefault(receiver: Receiver): boolean {
    return this.#defaults?.delete(receiver) === true;
  }

  addQuery(listen: QueryListen): void {
    this.#queries ??= new Map();
    this.#queries.set(listen.id, listen);
  }

  removeQuery(id: string): void {
    this.#queries?.delete(id);
  }

  addWatcher(watcher: Watcher): void {
    this.#watchers ??= new Set();
    this.#watchers.add(watcher);
  }

  /** Returns whether the subscriber was there. */
  removeWatcher(watcher: Watcher): boolean {
    return this.#watchers?.delete(watcher) === true;
  }
}

/** Whether the location itself has subscribers. */
export function isListenedTo({ defaults, queries, watchers }: ListenLocation): boolean {
  return defaults.size > 0 || queries.size > 0 || watchers.size > 0;
}

/** The listens of one database, in a tree of locations. */
export class ListenRegistry {
  readonly #root = new LazyListenLocation(ROOT);
  #count = 0;

  /** Number of listens and page subscribers. */
  get count(): number {
    return this.#count;
  }

  get root(): ListenLocation {
    return this.#root;
  }

  addDefault(path: Path, receiver: Receiver): void {
    if (this.#openLocation(path).addDefault(receiver)) this.#count++;
  }

  removeDefault(path: Path, receiver: Receiver): void {
    if (this.#findLocation(path)?.removeDefault(receiver) !== true) return;
    this.#count--;
    this.#dropEmpty(path);
  }

  findQuery(path: Path, id: string): QueryListen | undefined {
    return this.#findLocation(path)?.queries.get(id);
  }

  /** Adds a subscription to a query. `window` is ignored if the query already has subscribers. */
  addQuery(
    path: Path,
    id: string,
    query: Query,
    window: readonly Entry[] | null,
    subscription: QuerySubscription,
  ): void {
    const location = this.#openLocation(path);
    let listen = location.queries.get(id);
    if (listen === undefined) {
      listen = { path, id, query, window, subscriptions: new Set() };
      location.addQuery(listen);
    }
    listen.subscriptions.add(subscription);
    this.#count++;
  }

  /**
   * Removes a subscription. Returns its query for `restoreQuery`, or `undefined` if there was no such
   * subscription.
   */
  removeQuery(path: Path, id: string, subscription: QuerySubscription): QueryListen | undefined {
    const location = this.#findLocation(path);
    const listen = location?.queries.get(id);
    if (location === undefined || listen?.subscriptions.delete(subscription) !== true) return undefined;
    this.#count--;
    if (listen.subscriptions.size === 0) {
      location.removeQuery(id);
      this.#dropEmpty(path);
    }
    return listen;
  }

  /**
   * Rolls back a removal. All later changes must be rolled back before. The query is the same object as before,
   * so that later rollbacks reach it too.
   */
  restoreQuery(listen: QueryListen, subscription: QuerySubscription): void {
    this.#openLocation(listen.path).addQuery(listen);
    listen.subscriptions.add(subscription);
    this.#count++;
  }

  addWatcher(path: Path, watcher: Watcher): void {
    this.#openLocation(path).addWatcher(watcher);
    this.#count++;
  }

  removeWatcher(path: Path, watcher: Watcher): void {
    if (this.#findLocation(path)?.removeWatcher(watcher) !== true) return;
    this.#count--;
    this.#dropEmpty(path);
  }

  #findLocation(path: Path): LazyListenLocation | undefined {
    let here: LazyListenLocation | undefined = this.#root;
    for (const key of path) here = here?.children.get(key);
    return here;
  }

  #openLocation(path: Path): LazyListenLocation {
    return path.reduce((location: LazyListenLocation, key) => location.openChild(key), this.#root);
  }

  /** Removes empty locations on the way to `path`, from the far end. */
  #dropEmpty(path: Path): void {
    const touchedPaths = [this.#root];
    for (const key of path) {
      const next = touchedPaths.at(-1)?.children.get(key);
      if (next === undefined) break;
      touchedPaths.push(next);
    }
    for (let depth = touchedPaths.length - 1; depth > 0; depth--) {
      const key = path[depth - 1];
      if (key === undefined || touchedPaths[depth]?.isEmpty !== true) return;
      touchedPaths[depth - 1]?.removeChild(key);
    }
  }
}
