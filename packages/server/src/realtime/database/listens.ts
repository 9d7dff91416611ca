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
  trackTouched(keys: ReadonlySet<Key> | null): void;
}

/** A location with listens at it or below it. */
export interface ListenPlace {
  readonly path: Path;
  readonly children: ReadonlyMap<Key, ListenPlace>;
  /** Receivers that listen to the whole node. */
  readonly defaults: ReadonlySet<Receiver>;
  readonly queries: ReadonlyMap<string, QueryListen>;
  readonly watchers: ReadonlySet<Watcher>;
}

const NO_CHILDREN: ReadonlyMap<Key, Place> = new Map();
const NO_DEFAULTS: ReadonlySet<Receiver> = new Set();
const NO_QUERIES: ReadonlyMap<string, QueryListen> = new Map();
const NO_WATCHERS: ReadonlySet<Watcher> = new Set();

/**
 * A location that allocates its collections when first needed: most locations have one listen and nothing
 * below.
 */
class Place implements ListenPlace {
  readonly path: Path;
  #children: Map<Key, Place> | undefined;
  #defaults: Set<Receiver> | undefined;
  #queries: Map<string, QueryListen> | undefined;
  #watchers: Set<Watcher> | undefined;

  constructor(path: Path) {
    this.path = path;
  }

  get children(): ReadonlyMap<Key, Place> {
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

  openChild(key: Key): Place {
    this.#children ??= new Map();
    let child = this.#children.get(key);
    if (child === undefined) {
      child = new Place(joinPaths(this.path, [key]));
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
export function isListenedTo({ defaults, queries, watchers }: ListenPlace): boolean {
  return defaults.size > 0 || queries.size > 0 || watchers.size > 0;
}

/** The listens of one database, found by walking a path. */
export class ListenRegistry {
  readonly #root = new Place(ROOT);
  #count = 0;

  /** Number of listens and page subscribers. */
  get count(): number {
    return this.#count;
  }

  get root(): ListenPlace {
    return this.#root;
  }

  addDefault(path: Path, receiver: Receiver): void {
    if (this.#openPlace(path).addDefault(receiver)) this.#count++;
  }

  removeDefault(path: Path, receiver: Receiver): void {
    if (this.#findPlace(path)?.removeDefault(receiver) !== true) return;
    this.#count--;
    this.#dropEmpty(path);
  }

  findQuery(path: Path, id: string): QueryListen | undefined {
    return this.#findPlace(path)?.queries.get(id);
  }

  /** Adds a subscription to a query. `window` is ignored if the query already has subscribers. */
  addQuery(
    path: Path,
    id: string,
    query: Query,
    window: readonly Entry[] | null,
    subscription: QuerySubscription,
  ): void {
    const place = this.#openPlace(path);
    let listen = place.queries.get(id);
    if (listen === undefined) {
      listen = { path, id, query, window, subscriptions: new Set() };
      place.addQuery(listen);
    }
    listen.subscriptions.add(subscription);
    this.#count++;
  }

  /**
   * Removes a subscription. Returns its query for `restoreQuery`, or `undefined` if there was no such
   * subscription.
   */
  removeQuery(path: Path, id: string, subscription: QuerySubscription): QueryListen | undefined {
    const place = this.#findPlace(path);
    const listen = place?.queries.get(id);
    if (place === undefined || listen?.subscriptions.delete(subscription) !== true) return undefined;
    this.#count--;
    if (listen.subscriptions.size === 0) {
      place.removeQuery(id);
      this.#dropEmpty(path);
    }
    return listen;
  }

  /**
   * Rolls back a removal. All later changes must be rolled back before. The query is the same object as before,
   * so that later rollbacks reach it too.
   */
  restoreQuery(listen: QueryListen, subscription: QuerySubscription): void {
    this.#openPlace(listen.path).addQuery(listen);
    listen.subscriptions.add(subscription);
    this.#count++;
  }

  addWatcher(path: Path, watcher: Watcher): void {
    this.#openPlace(path).addWatcher(watcher);
    this.#count++;
  }

  removeWatcher(path: Path, watcher: Watcher): void {
    if (this.#findPlace(path)?.removeWatcher(watcher) !== true) return;
    this.#count--;
    this.#dropEmpty(path);
  }

  #findPlace(path: Path): Place | undefined {
    let here: Place | undefined = this.#root;
    for (const key of path) here = here?.children.get(key);
    return here;
  }

  #openPlace(path: Path): Place {
    return path.reduce((place: Place, key) => place.openChild(key), this.#root);
  }

  /** Removes empty locations on the way to `path`, from the far end. */
  #dropEmpty(path: Path): void {
    const places = [this.#root];
    for (const key of path) {
      const next = places.at(-1)?.children.get(key);
      if (next === undefined) break;
      places.push(next);
    }
    for (let depth = places.length - 1; depth > 0; depth--) {
      const key = path[depth - 1];
      if (key === undefined || places[depth]?.isEmpty !== true) return;
      places[depth - 1]?.removeChild(key);
    }
  }
}
