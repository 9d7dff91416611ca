import { must } from '@hearth/core/error/assert.ts';
import type { Entry, Query } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { type Path, pathOf } from '@hearth/core/tree/path.ts';
import type { Principal } from '../../access/principal.ts';
import type { Receiver, WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { UncheckedReads } from './read-checks.ts';

/** A receiver of changes. The costs of its messages are charged to its principal, if it has one. */
export interface ListenReceiver extends Receiver {
  readonly identity?: Principal;
  /** Set while some of its reads are not authorized again after a change of the rules or of its principal. */
  readonly unchecked?: UncheckedReads | null;
}

/**
 * Returns whether a change may be sent to a receiver for its listen to a node, or to the query with a tag. Callers with many
 * receivers ask only while a receiver of the database has unchecked reads: looking at each takes a tenth of a delivery.
 */
export function admitsValue(
  transaction: WriteTransaction,
  { unchecked }: ListenReceiver,
  at: { readonly path: Path },
  tag: number | null,
): boolean {
  // The path of a location takes longer to find than most receivers need.
  return unchecked === undefined || unchecked === null || unchecked.admit(transaction, at.path, tag);
}

/** The peer to which the memory of a query's window is charged. */
export interface WindowPayer {
  /** Changes the number of entries that the peer pays for. Ends the peer if that is more than it may hold. */
  pay(moreEntries: number): void;
}

/** A receiver's subscription to a query. The tag marks the messages sent for it. */
export interface QuerySubscription {
  readonly receiver: ListenReceiver;
  readonly tag: number;
  readonly payer: WindowPayer;
}

/**
 * A query with subscribers. It is evaluated once per write, however many subscribers it has. One subscriber pays for the
 * window of the query.
 */
export class QueryListen {
  readonly path: Path;
  /** Canonical text of the query as clients send it. */
  readonly id: string;
  readonly query: Query;
  readonly #subscriptions = new Set<QuerySubscription>();
  #window: readonly Entry[] | null;
  /** The subscription that pays; `undefined` without subscriptions. */
  #payer: QuerySubscription | undefined;
  #paidEntries = 0;
  /** Number of entries that the evaluation of the query in steps holds in memory. */
  #scannedEntries = 0;
  /** Those of the registry; see `ListenRegistry.unchecked`. */
  readonly unchecked: ReadonlySet<object>;

  constructor(
    path: Path,
    id: string,
    query: Query,
    window: readonly Entry[] | null,
    unchecked: ReadonlySet<object>,
  ) {
    this.unchecked = unchecked;
    this.path = path;
    this.id = id;
    this.query = query;
    this.#window = window;
  }

  get subscriptions(): ReadonlySet<QuerySubscription> {
    return this.#subscriptions;
  }

  /**
   * Entries of the children in the window of a limited query, in query order. `null` for a query without a
   * limit, where the range alone decides which children are included.
   */
  get window(): readonly Entry[] | null {
    return this.#window;
  }

  setWindow(window: readonly Entry[] | null): void {
    this.#window = window;
    this.#payMost();
  }

  /** Changes the number of entries that the evaluation of the query in steps holds in memory. */
  setScanned(entries: number): void {
    this.#scannedEntries = entries;
    this.#payMost();
  }

  #payMost(): void {
    const unpaid = (this.#window?.length ?? 0) + this.#scannedEntries - this.#paidEntries;
    if (Math.abs(unpaid) > MAX_UNPAID_ENTRIES) this.#pay(unpaid);
  }

  add(subscription: QuerySubscription): void {
    this.#subscriptions.add(subscription);
    if (this.#payer !== undefined) return;
    this.#payer = subscription;
    this.#pay(this.#window?.length ?? 0);
  }

  /** Returns whether the subscription was there. */
  remove(subscription: QuerySubscription): boolean {
    if (!this.#subscriptions.delete(subscription)) return false;
    if (this.#payer !== subscription) return true;
    const entries = this.#paidEntries;
    this.#pay(-entries);
    [this.#payer] = this.#subscriptions;
    this.#pay(entries);
    return true;
  }

  #pay(moreEntries: number): void {
    if (this.#payer === undefined || moreEntries === 0) return;
    this.#paidEntries += moreEntries;
    this.#payer.payer.pay(moreEntries);
  }
}

/** Estimated memory of an entry of a window, in bytes. */
export const ENTRY_BYTES = 150;

/** Number of entries by which a window may change before its memory is charged again. */
const MAX_UNPAID_ENTRIES = 64;

/** A subscriber that is notified of touched locations, without their values. */
export interface Watcher {
  /**
   * Whether the subscriber is notified within the transaction of a commit, which may still be rolled back, instead of
   * after the commit is durable.
   */
  readonly isImmediate?: boolean;
  /**
   * Called for a commit with the keys of the touched children. The set is empty if only the node's
   * own priority changed. `null` means a write at the node or above it.
   */
  onTouched(keys: ReadonlySet<Key> | null): void;
}

/** A location with listens at it or below it. */
export interface ListenLocation {
  readonly path: Path;
  /** The locations directly below that have listens at or below them. */
  readonly children: Iterable<ListenLocation>;
  findChild(key: Key): ListenLocation | undefined;
  /** Receivers that listen to the whole node. */
  readonly defaults: ReadonlySet<ListenReceiver>;
  readonly queries: ReadonlyMap<string, QueryListen>;
  readonly watchers: ReadonlySet<Watcher>;
}

const NO_CHILDREN: readonly LazyListenLocation[] = [];
const NO_DEFAULTS: ReadonlySet<ListenReceiver> = new Set();
const NO_QUERIES: ReadonlyMap<string, QueryListen> = new Map();
const NO_WATCHERS: ReadonlySet<Watcher> = new Set();

/**
 * A location that allocates its collections when first needed: most locations have one listen and nothing
 * below, or one child and no listen.
 */
class LazyListenLocation implements ListenLocation {
  /** `null` for the root. */
  readonly #parent: LazyListenLocation | null;
  /** The last key of the path; `null` for the root. */
  readonly #key: Key | null;
  /** The only child, or the children once there have been two. */
  #children: LazyListenLocation | Map<Key, LazyListenLocation> | undefined;
  #defaults: Set<ListenReceiver> | undefined;
  #queries: Map<string, QueryListen> | undefined;
  #watchers: Set<Watcher> | undefined;

  constructor(parent: LazyListenLocation | null, key: Key | null) {
    this.#parent = parent;
    this.#key = key;
  }

  get path(): Path {
    const keys: Key[] = [];
    for (let here: LazyListenLocation | null = this; here !== null; here = here.#parent)
      if (here.#key !== null) keys.push(here.#key);
    return pathOf(keys.reverse());
  }

  get children(): Iterable<LazyListenLocation> {
    const children = this.#children;
    if (children instanceof Map) return children.values();
    return children === undefined ? NO_CHILDREN : [children];
  }

  get defaults(): ReadonlySet<ListenReceiver> {
    return this.#defaults ?? NO_DEFAULTS;
  }

  get queries(): ReadonlyMap<string, QueryListen> {
    return this.#queries ?? NO_QUERIES;
  }

  get watchers(): ReadonlySet<Watcher> {
    return this.#watchers ?? NO_WATCHERS;
  }

  get isEmpty(): boolean {
    return this.#children === undefined && !isListenedTo(this);
  }

  findChild(key: Key): LazyListenLocation | undefined {
    const children = this.#children;
    if (children instanceof Map) return children.get(key);
    return children === undefined || children.#key !== key ? undefined : children;
  }

  openChild(key: Key): LazyListenLocation {
    const known = this.findChild(key);
    if (known !== undefined) return known;
    const child = new LazyListenLocation(this, key);
    const others = this.#children;
    if (others === undefined) this.#children = child;
    else if (others instanceof Map) others.set(key, child);
    else
      this.#children = new Map([
        [must(others.#key, 'a child has a key'), others],
        [key, child],
      ]);
    return child;
  }

  removeChild(key: Key): void {
    if (this.#children instanceof Map) this.#children.delete(key);
    if (!(this.#children instanceof Map) || this.#children.size === 0) this.#children = undefined;
  }

  /** Returns whether the receiver was added: false if it was there before. */
  addDefault(receiver: ListenReceiver): boolean {
    this.#defaults ??= new Set();
    const isNew = !this.#defaults.has(receiver);
    this.#defaults.add(receiver);
    return isNew;
  }

  /** Returns whether the receiver was there. */
  removeDefault(receiver: ListenReceiver): boolean {
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

  /** Returns whether the watcher was there. */
  removeWatcher(watcher: Watcher): boolean {
    return this.#watchers?.delete(watcher) === true;
  }
}

/** Returns whether the location itself has subscribers. */
export function isListenedTo({ defaults, queries, watchers }: ListenLocation): boolean {
  return defaults.size > 0 || queries.size > 0 || watchers.size > 0;
}

/** The listens of one database, in a tree of locations. */
export class ListenRegistry {
  readonly #root = new LazyListenLocation(null, null);
  /** What has listens that are not authorized again yet. While it is empty, values are sent without asking receivers. */
  readonly unchecked = new Set<object>();
  #count = 0;

  /** Number of default listens, query subscriptions and watchers. */
  get count(): number {
    return this.#count;
  }

  get root(): ListenLocation {
    return this.#root;
  }

  addDefault(path: Path, receiver: ListenReceiver): void {
    if (this.#openLocation(path).addDefault(receiver)) this.#count++;
  }

  removeDefault(path: Path, receiver: ListenReceiver): void {
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
      listen = new QueryListen(path, id, query, window, this.unchecked);
      location.addQuery(listen);
    }
    listen.add(subscription);
    this.#count++;
  }

  /**
   * Removes a subscription. Returns its query for `restoreQuery`, or `undefined` if there was no such
   * subscription.
   */
  removeQuery(path: Path, id: string, subscription: QuerySubscription): QueryListen | undefined {
    const location = this.#findLocation(path);
    const listen = location?.queries.get(id);
    if (location === undefined || listen?.remove(subscription) !== true) return undefined;
    this.#count--;
    if (listen.subscriptions.size === 0) {
      location.removeQuery(id);
      this.#dropEmpty(path);
    }
    return listen;
  }

  /**
   * Rolls back a removal. All later changes must be rolled back first. The query is the same object as before,
   * so that later rollbacks reach it too.
   */
  restoreQuery(listen: QueryListen, subscription: QuerySubscription): void {
    this.#openLocation(listen.path).addQuery(listen);
    listen.add(subscription);
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
    for (const key of path) here = here?.findChild(key);
    return here;
  }

  #openLocation(path: Path): LazyListenLocation {
    return path.reduce((location: LazyListenLocation, key) => location.openChild(key), this.#root);
  }

  /** Removes empty locations on the way to `path`, from the far end. */
  #dropEmpty(path: Path): void {
    const locations = [this.#root];
    for (const key of path) {
      const next = locations.at(-1)?.findChild(key);
      if (next === undefined) break;
      locations.push(next);
    }
    for (let depth = locations.length - 1; depth > 0; depth--) {
      const key = path[depth - 1];
      if (key === undefined || locations[depth]?.isEmpty !== true) return;
      locations[depth - 1]?.removeChild(key);
    }
  }
}
