import type { Entry, Query } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { type Path, pathOf, ROOT } from '@hearth/core/tree/path.ts';
import type { Receiver } from '../commit/turn.ts';

/** One receiver's interest in a query; the tag marks what is sent for it. */
export interface QuerySubscription {
  readonly receiver: Receiver;
  readonly tag: number;
}

/** A query that somebody listens to. However many do, it is evaluated once per write. */
export interface QueryListen {
  readonly path: Path;
  /** Canonical text of the query as clients send it. */
  readonly id: string;
  readonly query: Query;
  /**
   * Places of the children in the window of a limited query, in query order. `null` for a query without a limit,
   * where the range alone tells who is in.
   */
  window: readonly Entry[] | null;
  readonly subscriptions: Set<QuerySubscription>;
}

/** A location with listens at it or below it. */
export interface ListenPlace {
  readonly path: Path;
  readonly children: Map<Key, ListenPlace>;
  /** Who listens to everything here. */
  readonly defaults: Set<Receiver>;
  readonly queries: Map<string, QueryListen>;
}

/** The listens of one database, found by walking a path. */
export class ListenRegistry {
  readonly #root: ListenPlace = createPlace(ROOT);
  #count = 0;

  /** Number of listens. */
  get count(): number {
    return this.#count;
  }

  get root(): ListenPlace {
    return this.#root;
  }

  addDefault(path: Path, receiver: Receiver): void {
    const place = this.#openPlace(path);
    if (place.defaults.has(receiver)) return;
    place.defaults.add(receiver);
    this.#count++;
  }

  removeDefault(path: Path, receiver: Receiver): void {
    const place = this.#findPlace(path);
    if (place?.defaults.delete(receiver) !== true) return;
    this.#count--;
    this.#dropEmpty(path);
  }

  findQuery(path: Path, id: string): QueryListen | undefined {
    return this.#findPlace(path)?.queries.get(id);
  }

  /** Adds a subscription to a query; `window` holds unless somebody listens to the same query already. */
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
      place.queries.set(id, listen);
    }
    listen.subscriptions.add(subscription);
    this.#count++;
  }

  /** Returns the query that the subscription was removed from, for `restoreQuery`. */
  removeQuery(path: Path, id: string, subscription: QuerySubscription): QueryListen | undefined {
    const place = this.#findPlace(path);
    const listen = place?.queries.get(id);
    if (place === undefined || listen?.subscriptions.delete(subscription) !== true) return undefined;
    this.#count--;
    if (listen.subscriptions.size === 0) {
      place.queries.delete(id);
      this.#dropEmpty(path);
    }
    return listen;
  }

  /**
   * Takes back a removal, everything after it having been taken back before. The query is the same object again, so
   * that what is taken back later reaches it too.
   */
  restoreQuery(listen: QueryListen, subscription: QuerySubscription): void {
    this.#openPlace(listen.path).queries.set(listen.id, listen);
    listen.subscriptions.add(subscription);
    this.#count++;
  }

  #findPlace(path: Path): ListenPlace | undefined {
    let here: ListenPlace | undefined = this.#root;
    for (const key of path) here = here?.children.get(key);
    return here;
  }

  #openPlace(path: Path): ListenPlace {
    let here = this.#root;
    path.forEach((key, depth) => {
      let next = here.children.get(key);
      if (next === undefined) {
        next = createPlace(pathOf(path.slice(0, depth + 1)));
        here.children.set(key, next);
      }
      here = next;
    });
    return here;
  }

  /** Removes places on the way to `path` that hold nothing any more, from the far end. */
  #dropEmpty(path: Path): void {
    const places = [this.#root];
    for (const key of path) {
      const next = places.at(-1)?.children.get(key);
      if (next === undefined) break;
      places.push(next);
    }
    for (let depth = places.length - 1; depth > 0; depth--) {
      const place = places[depth];
      const key = path[depth - 1];
      if (place === undefined || key === undefined || !isEmptyPlace(place)) return;
      places[depth - 1]?.children.delete(key);
    }
  }
}

function createPlace(path: Path): ListenPlace {
  return { path, children: new Map(), defaults: new Set(), queries: new Map() };
}

function isEmptyPlace(place: ListenPlace): boolean {
  return place.children.size === 0 && place.defaults.size === 0 && place.queries.size === 0;
}
