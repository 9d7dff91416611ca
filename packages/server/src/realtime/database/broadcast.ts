import { type Entry, indexName, isInRange, type Query, type QueryIndex } from '@hearth/core/query/query.ts';
import { applyToWindow, type TouchedChild, type WindowChange } from '@hearth/core/query/window.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { CommitWrite } from '../../storage/log/commit.ts';
import type { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { findBroadcastCosts, receiversOf } from '../monitoring/costs/measured.ts';
import {
  canWait,
  changePush,
  collectTouched,
  collectTouchedBelow,
  DefaultMessages,
  LongPushes,
  type TouchedLocation,
  touchedKeys,
  WriteTexts,
} from './broadcast-messages.ts';
import type { Database } from './database.ts';
import { admitsValue, type ListenLocation, type QueryListen, type Watcher } from './listens.ts';
import { endAll, Refill, replaceWindow, sendResult, sendTagged, startCount } from './query-results.ts';
import { unlessTooBig } from './snapshot-read.ts';
import type { DatabaseTree, TreeView } from './tree-view.ts';

/** The children of a location that a commit touches. All queries at the location share the nodes that are read. */
class TouchedChildren {
  readonly #path: Path;
  readonly #keys: ReadonlySet<Key>;
  /** The entries before the commit by the name of the index; `null` for an absent child. */
  readonly #before = new Map<string, ReadonlyMap<Key, Entry | null>>();
  readonly #changes = new Map<string, readonly TouchedChild[]>();
  /** JSON texts of single children after the commit. */
  readonly #texts = new Map<Key, string>();

  /** `view` is the state before the commit. */
  constructor(view: TreeView, touched: TouchedLocation) {
    this.#path = touched.location.path;
    this.#keys = touchedKeys(touched);
    for (const { query } of touched.location.queries.values()) {
      const name = indexName(query.index);
      if (!this.#before.has(name)) this.#before.set(name, this.#readEntries(view, query.index));
    }
  }

  /** Returns the children with their entries under an index. `view` is the state after the commit. */
  changesUnder(view: TreeView, index: QueryIndex): readonly TouchedChild[] {
    const name = indexName(index);
    let changes = this.#changes.get(name);
    if (changes === undefined) {
      changes = [...(this.#before.get(name) ?? [])].map(([key, before]) => ({
        key,
        before,
        after: view.findEntry(this.#path, key, index),
      }));
      this.#changes.set(name, changes);
    }
    return changes;
  }

  /** Returns the JSON text of children. `view` is the state after the commit. Throws `read/too-big`. */
  textOf(view: TreeView, keys: readonly Key[]): string {
    const [only] = keys;
    if (only === undefined || keys.length > 1) return view.childrenJson(this.#path, keys);
    const text = this.#texts.get(only) ?? view.childrenJson(this.#path, keys);
    this.#texts.set(only, text);
    return text;
  }

  #readEntries(view: TreeView, index: QueryIndex): ReadonlyMap<Key, Entry | null> {
    const entries = new Map<Key, Entry | null>();
    for (const key of this.#keys) entries.set(key, view.findEntry(this.#path, key, index));
    return entries;
  }
}

/**
 * Returns the changes that a commit made to the result of a query. `view` is the state after it. For a query without a
 * limit, the change's `window` is empty.
 */
function findWindowChange(
  view: TreeView,
  { path, query, window }: QueryListen,
  children: TouchedChildren,
  refill: Refill,
): WindowChange {
  const touched = children.changesUnder(view, query.index);
  if (window !== null && query.limit !== null)
    return applyToWindow(
      query,
      query.limit,
      window,
      touched,
      (beyond, count) => refill.findEntries(view, path, queryBeyond(query, beyond, count)) ?? [],
    );
  return applyToRange(query, touched);
}

/** Finds the changes of a query without a limit, where the range alone decides which children are included. */
function applyToRange(query: Query, touched: readonly TouchedChild[]): WindowChange {
  const change = { window: [], left: [] as Key[], entered: [] as Key[], stayed: [] as Key[] };
  for (const { key, before, after } of touched) {
    const isShown = after !== null && isInRange(query, after);
    if (before !== null && isInRange(query, before)) (isShown ? change.stayed : change.left).push(key);
    else if (isShown) change.entered.push(key);
  }
  return change;
}

/**
 * Returns the query for the children beyond the outermost one of its window, away from the side that the limit
 * counts from.
 */
function queryBeyond(query: Query, beyond: Entry, count: number): Query {
  const bound = { ...beyond, isInclusive: false };
  return query.from === 'left'
    ? { ...query, lower: bound, limit: count }
    : { ...query, upper: bound, limit: count };
}

/**
 * Sends one commit to subscribers. Created before the commit is applied, because the change of a query's window
 * depends on its state before. `send` runs after the commit is applied and therefore must not throw: a
 * subscriber whose message is too big is disconnected. Each distinct message is encoded once.
 */
export class Publication {
  readonly #database: Database;
  /** The entries that all queries of the commit read to complete their windows. Many clients may wait for one child. */
  readonly #scanned = startCount();
  #changedQueries = 0;
  #children: Map<ListenLocation, TouchedChildren> | undefined;

  /** `view` is the state before the commit. `writes` are its writes, possibly including some without effect. */
  constructor(database: Database, view: TreeView, writes: readonly CommitWrite[]) {
    this.#database = database;
    // Queries at other locations receive their whole result, so their earlier children do not matter.
    for (const touched of collectTouchedBelow(database.listens, writes)) {
      if (touched.location.queries.size === 0) continue;
      this.#children ??= new Map();
      this.#children.set(touched.location, new TouchedChildren(view, touched));
    }
  }

  /**
   * Sends the messages. `view` is the state after the commit. `writes` are the writes that had an effect;
   * several writes of the constructor may be combined into one write above them.
   */
  send(transaction: WriteTransaction, view: DatabaseTree, writes: readonly CommitWrite[]): void {
    const touchedLocations = collectTouched(this.#database.listens, writes);
    if (touchedLocations.length === 0) return;
    const texts = new WriteTexts(view);
    const messages = new DefaultMessages(view, texts);
    const long = new LongPushes(transaction, this.#database, view);
    const costs = findBroadcastCosts(transaction, this.#database);
    for (const touched of touchedLocations) {
      const { defaults, queries, watchers } = touched.location;
      const areAllChecked = this.#database.listens.unchecked.size === 0;
      if (costs === undefined || defaults.size === 0)
        sendToDefaults(transaction, touched, messages, long, areAllChecked);
      else
        costs.measure(touched.location, null, defaults, () =>
          sendToDefaults(transaction, touched, messages, long, areAllChecked),
        );
      for (const listen of queries.values())
        if (costs === undefined) this.#sendToQuery(transaction, { view, texts }, listen, touched);
        else
          costs.measure(listen, listen.query, receiversOf(listen), () =>
            this.#sendToQuery(transaction, { view, texts }, listen, touched),
          );
      if (watchers.size > 0) notifyWatchers(transaction, watchers, touched);
    }
  }

  #sendToQuery(
    transaction: WriteTransaction,
    after: After,
    listen: QueryListen,
    touched: TouchedLocation,
  ): void {
    const { stepwise } = this.#database;
    // The query is evaluated again: the client gets the whole result of a later state.
    if (stepwise?.isOutdated(listen)) return;
    const refill = new Refill(stepwise === null ? null : this.#scanned);
    const children = this.#children?.get(touched.location);
    let isWhole = touched.over !== null;
    if (isWhole) sendWhole(transaction, after.view, listen, refill);
    else if (children !== undefined) {
      this.#changedQueries += 1;
      isWhole = stepwise !== null && this.#changedQueries > MAX_CHANGED_QUERIES;
      if (!isWhole) sendChange(transaction, after, listen, touched, children, refill);
    }
    // Requested within the transaction, so that an evaluation that ends in it is not the last one. After a rollback,
    // the request is superfluous but harmless.
    if (refill.isPostponed || (isWhole && touched.over === null))
      stepwise?.refill(this.#database, listen, isWhole);
  }
}

/** Number of queries whose changes one write finds at once. Most take a few microseconds. */
const MAX_CHANGED_QUERIES = 10_000;

/** Sends the changes of a node to the receivers that listen to the whole node. */
function sendToDefaults(
  transaction: WriteTransaction,
  touched: TouchedLocation,
  messages: DefaultMessages,
  long: LongPushes,
  areAllChecked: boolean,
): void {
  let message: OutgoingMessage | null | undefined;
  for (const receiver of touched.location.defaults) {
    if (!areAllChecked && !admitsValue(transaction, receiver, touched.location, null)) continue;
    if (canWait(receiver) && long.send(receiver, touched)) continue;
    if (message === undefined) message = unlessTooBig(() => messages.at(touched)) ?? null;
    if (message === null) transaction.onCommit(() => receiver.end());
    else transaction.send(receiver, message);
  }
}

function notifyWatchers(
  transaction: WriteTransaction,
  watchers: ReadonlySet<Watcher>,
  touched: TouchedLocation,
): void {
  const keys = touched.over === null ? touchedKeys(touched) : null;
  for (const watcher of watchers) if (watcher.isImmediate === true) watcher.onTouched(keys);
  transaction.onCommit(() => {
    for (const watcher of watchers) if (watcher.isImmediate !== true) watcher.onTouched(keys);
  });
}

/** The state after a commit, and the JSON texts of its writes. */
interface After {
  readonly view: TreeView;
  readonly texts: WriteTexts;
}

function sendChange(
  transaction: WriteTransaction,
  { view, texts }: After,
  listen: QueryListen,
  { below }: TouchedLocation,
  children: TouchedChildren,
  refill: Refill,
): void {
  const { path } = listen;
  const change = findWindowChange(view, listen, children, refill);
  if (listen.window !== null) replaceWindow(transaction, listen, change.window);
  const inside = change.stayed.length === 0 ? [] : writesBelow(below, path, new Set(change.stayed));
  const push = unlessTooBig(() =>
    changePush(path, change.left, children.textOf(view, change.entered), inside, texts),
  );
  if (push === undefined) endAll(transaction, listen);
  else sendTagged(transaction, listen, push);
}

/** Returns the writes at and below some children of a node. */
function writesBelow(
  writes: readonly CommitWrite[],
  path: Path,
  keys: ReadonlySet<Key>,
): readonly CommitWrite[] {
  return writes.filter((write) => {
    const key = write.path[path.length];
    return key !== undefined && keys.has(key);
  });
}

/** Sends the whole result of a query after a write at or above its path, unless it is postponed. */
function sendWhole(transaction: WriteTransaction, view: TreeView, listen: QueryListen, refill: Refill): void {
  const entries = refill.findEntries(view, listen.path, listen.query);
  if (entries !== undefined) sendResult(transaction, view, listen, entries);
}

/** Records the broadcast of a commit: one operation for each location with subscribers. */
export function profileBroadcast(
  transaction: WriteTransaction,
  { profiler, listens }: Database,
  writes: readonly CommitWrite[],
): void {
  if (profiler === null) return;
  for (const { location, over, below } of collectTouched(listens, writes)) {
    let receivers = location.defaults.size;
    for (const { subscriptions } of location.queries.values()) receivers += subscriptions.size;
    if (receivers === 0) continue;
    const reported = over === null ? below : [over];
    const bytes = receivers * reported.reduce((sum, write) => sum + bytesOf(write), 0);
    transaction.onCommit(() => profiler.record({ name: 'listener-broadcast', path: location.path, bytes }));
  }
}

/** Returns the length of a write in UTF-8; 0 for a linked write, because measuring it would take as long as sending it. */
function bytesOf(write: CommitWrite): number {
  return write.kind === 'linked' ? 0 : Buffer.byteLength(write.json);
}
