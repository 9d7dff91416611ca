import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Entry, Query } from '@hearth/core/query/query.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { type ScanCount, ScanTooLong } from '../../storage/tree/query.ts';
import { findBroadcastCosts, receiversOf } from '../monitoring/costs/measured.ts';
import { changePush, type TaggedPush, WriteTexts, wholePush } from './broadcast-messages.ts';
import type { Database } from './database.ts';
import { admitsValue, type QueryListen } from './listens.ts';
import { MAX_CHILDREN_AT_ONCE } from './read.ts';
import { unlessTooBig } from './snapshot-read.ts';
import type { TreeView } from './tree-view.ts';

/** Number of queries for which one write reads children at once. Many have a small result, which takes 20 to 50 µs. */
const MAX_QUERIES_AT_ONCE = 100;

/** Counts what all queries of one transaction or commit have read. */
interface ReadCount extends ScanCount {
  readonly max: number;
  /** Number of queries that have read children. */
  queries: number;
}

export function startCount(): ReadCount {
  return { children: 0, max: MAX_CHILDREN_AT_ONCE, queries: 0 };
}

/** Reads the children that a query lacks, unless that would take too long within one transaction. */
export class Refill {
  readonly #scanned: ReadCount | null;
  #isPostponed = false;

  /** `scanned` counts what all queries have read; `null` if nothing may be postponed. */
  constructor(scanned: ReadCount | null) {
    this.#scanned = scanned;
  }

  /** Whether the query has to be evaluated again after the transaction. */
  get isPostponed(): boolean {
    return this.#isPostponed;
  }

  /** Returns the children that a query selects, or `undefined` if it is postponed. */
  findEntries(view: TreeView, path: Path, query: Query): readonly Entry[] | undefined {
    const scanned = this.#scanned;
    if (scanned === null) return view.readQuery(path, query);
    if (scanned.queries >= MAX_QUERIES_AT_ONCE || (scanned.queries > 0 && scanned.children > scanned.max)) {
      this.#isPostponed = true;
      return undefined;
    }
    scanned.queries += 1;
    try {
      return view.readQuery(path, query, scanned);
    } catch (error) {
      if (!(error instanceof ScanTooLong)) throw error;
      this.#isPostponed = true;
      return undefined;
    }
  }
}

/** Sends the whole result of a query. */
export function sendResult(
  transaction: WriteTransaction,
  view: TreeView,
  listen: QueryListen,
  entries: readonly Entry[],
): void {
  const hadEntries = listen.window === null || listen.window.length > 0;
  if (listen.window !== null) replaceWindow(transaction, listen, entries);
  if (entries.length === 0 && !hadEntries) return;
  const keys = entries.map((entry) => entry.key);
  const json = unlessTooBig(() => view.childrenJson(listen.path, keys));
  if (json === undefined) endAll(transaction, listen);
  else sendTagged(transaction, listen, wholePush(listen.path, json));
}

/** A query that is evaluated after the transaction that changed it. */
export interface Outdated {
  readonly database: Database;
  readonly listen: QueryListen;
  /** Whether the whole result is sent; otherwise only the changes since the last result. */
  readonly isWhole: boolean;
}

/**
 * Evaluates queries in one transaction until its time is used up. Returns the listens whose queries are done; none if
 * the first query alone takes longer than a transaction may.
 */
export function sendRefills(
  transaction: WriteTransaction,
  queries: Iterable<Outdated>,
  isOver: () => boolean,
): readonly Outdated[] {
  const scanned = startCount();
  const done: Outdated[] = [];
  for (const outdated of queries) {
    const { database, listen } = outdated;
    const view = database.tree(transaction);
    const { path, query } = listen;
    if (!sendRefill(transaction, outdated, () => new Refill(scanned).findEntries(view, path, query))) break;
    done.push(outdated);
    if (isOver()) break;
  }
  return done;
}

/** Sends the result of a query. Returns false, and sends nothing, if `findEntries` returns `undefined`. */
export function sendRefill(
  transaction: WriteTransaction,
  { database, listen, isWhole }: Outdated,
  findEntries: () => readonly Entry[] | undefined,
): boolean {
  if (listen.subscriptions.size === 0) return true;
  const view = database.tree(transaction);
  try {
    const entries = findEntries();
    if (entries === undefined) return false;
    const send = (): void => {
      if (isWhole || listen.window === null) sendResult(transaction, view, listen, entries);
      else sendDifference(transaction, view, listen, listen.window, entries);
    };
    const costs = findBroadcastCosts(transaction, database);
    if (costs === undefined) send();
    else costs.measure(listen, listen.query, receiversOf(listen), send);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    endAll(transaction, listen);
  }
  return true;
}

/** Sends the children that left the window of a query, and those that entered it. */
function sendDifference(
  transaction: WriteTransaction,
  view: TreeView,
  listen: QueryListen,
  window: readonly Entry[],
  entries: readonly Entry[],
): void {
  const { path } = listen;
  const before = new Set(window.map(({ key }) => key));
  const after = new Set(entries.map(({ key }) => key));
  replaceWindow(transaction, listen, entries);
  const push = unlessTooBig(() => {
    const left = [...before].filter((key) => !after.has(key));
    const entered = [...after].filter((key) => !before.has(key));
    return changePush(path, left, view.childrenJson(path, entered), [], new WriteTexts(view));
  });
  if (push === undefined) endAll(transaction, listen);
  else sendTagged(transaction, listen, push);
}

export function replaceWindow(
  transaction: WriteTransaction,
  listen: QueryListen,
  window: readonly Entry[],
): void {
  const before = listen.window;
  if (window === before) return;
  listen.setWindow(window);
  transaction.onRollback(() => listen.setWindow(before));
}

/**
 * Sends a message to the listens of a query. Encodes it once for each tag: clients number their queries in the same
 * way, so many connections share tags.
 */
export function sendTagged(
  transaction: WriteTransaction,
  listen: QueryListen,
  push: TaggedPush | null,
): void {
  if (push === null) return;
  const messages = new Map<number, OutgoingMessage>();
  const areAllChecked = listen.unchecked.size === 0;
  for (const { receiver, tag } of listen.subscriptions) {
    if (!areAllChecked && !admitsValue(transaction, receiver, listen, tag)) continue;
    let message = messages.get(tag);
    if (message === undefined) {
      message = new OutgoingMessage(push(tag), { path: listen.path, tag });
      messages.set(tag, message);
    }
    transaction.send(receiver, message);
  }
}

/**
 * Ends the connections of a query's subscribers because its result is too big to send. When they reconnect,
 * their listen is rejected.
 */
export function endAll(transaction: WriteTransaction, listen: QueryListen): void {
  for (const { receiver } of listen.subscriptions) transaction.onCommit(() => receiver.end());
}
