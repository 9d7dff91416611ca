import { type Entry, isInRange, type Query } from '@hearth/core/query/query.ts';
import { applyToWindow, type TouchedChild, type WindowChange } from '@hearth/core/query/window.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { CommitWrite } from '../../storage/log/commit.ts';
import { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import {
  changePush,
  collectTouched,
  DefaultMessages,
  type TaggedPush,
  type TouchedLocation,
  touchedKeys,
  unlessTooBig,
  WriteTexts,
  wholePush,
} from './broadcast-messages.ts';
import type { Database } from './database.ts';
import type { ListenRegistry, QueryListen, Watcher } from './listens.ts';
import type { TreeView } from './tree-view.ts';

/** Entries of children under a query's index; `null` for an absent child. */
export type TouchedPaths = ReadonlyMap<Key, Entry | null>;

/** Returns the entries of children in `view`. */
function readLocations(view: TreeView, { path, query }: QueryListen, keys: Iterable<Key>): TouchedPaths {
  const touchedPaths = new Map<Key, Entry | null>();
  for (const key of keys) touchedPaths.set(key, view.findEntry(path, key, query.index));
  return touchedPaths;
}

/**
 * Returns the changes that a commit made to the result of a query. `before` has the touched children with their
 * entries before the commit; `view` is the state after it. For a query without a limit, the change's `window`
 * is empty.
 */
function findWindowChange(view: TreeView, listen: QueryListen, before: TouchedPaths): WindowChange {
  const { path, query, window } = listen;
  const touched: TouchedChild[] = [];
  for (const [key, entry] of before)
    touched.push({ key, before: entry, after: view.findEntry(path, key, query.index) });
  if (window !== null && query.limit !== null)
    return applyToWindow(query, query.limit, window, touched, (beyond, count) =>
      view.readQuery(path, queryBeyond(query, beyond, count)),
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

const NO_LOCATIONS: TouchedPaths = new Map();

/**
 * Sends one commit to subscribers. Created before the commit is applied, because the change of a query's window
 * depends on its state before. `send` runs after the commit is applied and therefore must not throw: a
 * subscriber whose message is too big is disconnected. Each distinct message is encoded once.
 */
export class Publication {
  readonly #listens: ListenRegistry;
  #before: Map<QueryListen, TouchedPaths> | undefined;

  /** `view` is the state before the commit. `writes` are its writes, possibly including some without effect. */
  constructor(listens: ListenRegistry, view: TreeView, writes: readonly CommitWrite[]) {
    this.#listens = listens;
    for (const touched of collectTouched(listens, writes)) {
      const keys = touchedKeys(touched);
      this.#before ??= new Map();
      for (const listen of touched.location.queries.values())
        this.#before.set(listen, readLocations(view, listen, keys));
    }
  }

  /**
   * Sends the messages. `view` is the state after the commit. `writes` are the writes that had an effect;
   * several writes of the constructor may be combined into one write above them.
   */
  send(transaction: WriteTransaction, view: TreeView, writes: readonly CommitWrite[]): void {
    const touchedPaths = collectTouched(this.#listens, writes);
    if (touchedPaths.length === 0) return;
    const texts = new WriteTexts(view);
    const frames = new DefaultMessages(view, texts);
    for (const touched of touchedPaths) {
      const { defaults, queries, watchers } = touched.location;
      if (defaults.size > 0) {
        const frame = unlessTooBig(() => frames.at(touched));
        for (const receiver of defaults)
          if (frame === undefined) transaction.onCommit(() => receiver.end());
          else transaction.send(receiver, frame);
      }
      for (const listen of queries.values())
        sendToQuery(transaction, { view, texts }, listen, touched, this.#before?.get(listen) ?? NO_LOCATIONS);
      if (watchers.size > 0) notifyWatchers(transaction, watchers, touched);
    }
  }
}

function notifyWatchers(
  transaction: WriteTransaction,
  watchers: ReadonlySet<Watcher>,
  touched: TouchedLocation,
): void {
  const keys = touched.over === null ? touchedKeys(touched) : null;
  transaction.onCommit(() => {
    for (const watcher of watchers) watcher.onTouched(keys);
  });
}

/** The state after a commit, and the JSON texts of its writes. */
interface After {
  readonly view: TreeView;
  readonly texts: WriteTexts;
}

function sendToQuery(
  transaction: WriteTransaction,
  { view, texts }: After,
  listen: QueryListen,
  { over, below }: TouchedLocation,
  before: TouchedPaths,
): void {
  if (over !== null) {
    sendWhole(transaction, view, listen);
    return;
  }
  const { path } = listen;
  const change = findWindowChange(view, listen, before);
  if (listen.window !== null) replaceWindow(transaction, listen, change.window);
  const stayed = new Set(change.stayed);
  const inside = below.filter((write) => {
    const key = write.path[path.length];
    return key !== undefined && stayed.has(key);
  });
  const push = unlessTooBig(() =>
    changePush(path, change.left, view.childrenJson(path, change.entered), inside, texts),
  );
  if (push === undefined) endAll(transaction, listen);
  else sendTagged(transaction, listen, push);
}

/** Sends the whole result of a query after a write at or above its path. */
function sendWhole(transaction: WriteTransaction, view: TreeView, listen: QueryListen): void {
  const entries = view.readQuery(listen.path, listen.query);
  const hadEntries = listen.window === null || listen.window.length > 0;
  if (listen.window !== null) replaceWindow(transaction, listen, entries);
  if (entries.length === 0 && !hadEntries) return;
  const keys = entries.map((entry) => entry.key);
  const json = unlessTooBig(() => view.childrenJson(listen.path, keys));
  if (json === undefined) endAll(transaction, listen);
  else sendTagged(transaction, listen, wholePush(listen.path, json));
}

function replaceWindow(transaction: WriteTransaction, listen: QueryListen, window: readonly Entry[]): void {
  const before = listen.window;
  if (window === before) return;
  listen.setWindow(window);
  transaction.onRollback(() => listen.setWindow(before));
}

/** Clients number their queries in the same way, so many connections share the same tags. */
function sendTagged(transaction: WriteTransaction, listen: QueryListen, push: TaggedPush | null): void {
  if (push === null) return;
  const frames = new Map<number, OutgoingMessage>();
  for (const { receiver, tag } of listen.subscriptions) {
    let frame = frames.get(tag);
    if (frame === undefined) {
      frame = new OutgoingMessage(push(tag));
      frames.set(tag, frame);
    }
    transaction.send(receiver, frame);
  }
}

/**
 * Ends the connections of a query's subscribers because its result is too big to send. When they reconnect,
 * their listen is rejected.
 */
function endAll(transaction: WriteTransaction, listen: QueryListen): void {
  for (const { receiver } of listen.subscriptions) transaction.onCommit(() => receiver.end());
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

/** A linked write counts as 0 bytes: measuring it would take as long as sending it. */
function bytesOf(write: CommitWrite): number {
  return write.kind === 'linked' ? 0 : Buffer.byteLength(write.json);
}
