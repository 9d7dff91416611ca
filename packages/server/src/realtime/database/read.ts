import { must } from '@hearth/core/error/assert.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { type Entry, indexName, type Query, type QueryIndex } from '@hearth/core/query/query.ts';
import {
  indexOnAt,
  type RuleNode,
  type RuleSet,
  type Wildcard,
} from '@hearth/core/rules/evaluate/rule-set.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import { identityNameOf } from '../../access/principal.ts';
import { canReadAll } from '../../access/rights.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { MANY_CLIENTS, type ResourcePool } from '../../platform/resource-pool.ts';
import type { SnapshotKvStore } from '../../storage/kv/snapshot.ts';
import type { PendingText } from '../../storage/transaction/outgoing-message.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { ScanTooLong } from '../../storage/tree/query.ts';
import { SLOW_MS } from '../monitoring/queries.ts';
import { isReadable, requireReadable } from './authorize.ts';
import {
  type Database,
  type PendingScan,
  PostponedRequest,
  type ScanMemory,
  type ValueRequest,
} from './database.ts';
import { type ReadLane, SnapshotParts, takeStep, unlessTooBig } from './snapshot-read.ts';
import type { ReadAnswer, ReadRequest } from './tree-view.ts';

/** Returns the location of a path in the rules, such as `/rooms/$room`. Keys without a rule are used unchanged. */
export function rulesLocation(rules: RuleSet, path: readonly Key[]): string {
  let node: RuleNode | undefined = rules.root;
  let location = '';
  for (const key of path) {
    const own: RuleNode | undefined = node?.children.get(key);
    const wildcard: Wildcard | null | undefined = own === undefined ? node?.wildcard : undefined;
    location += `/${wildcard?.name ?? key}`;
    node = own ?? wildcard?.node;
  }
  return location || '/';
}

/** Returns whether the rules declare the index at this path. Keys and priorities need no declaration. */
export function isIndexed(database: Database, path: Path, index: QueryIndex): boolean {
  if (index.kind === 'key' || index.kind === 'priority') return true;
  return indexOnAt(database.rules, path).includes(indexName(index));
}

/**
 * Throws `query/unindexed` if the rules do not declare the index. Clients show the message to developers, so it names
 * the index to add to the rules.
 */
export function requireIndexed(
  transaction: WriteTransaction,
  database: Database,
  path: Path,
  index: QueryIndex,
): void {
  if (isIndexed(database, path, index)) return;
  database.activity.queries.record({
    location: rulesLocation(database.rules, path),
    orderBy: indexName(index),
    isIndexed: false,
    isRejected: true,
    ms: 0,
    children: null,
    atMs: transaction.nowMs,
  });
  throw new RequestError(
    'query/unindexed',
    `Index not defined, add ".indexOn": "${indexName(index)}", for path "/${formatPath(path)}", to the rules`,
  );
}

/**
 * Number of children above which a query without a usable index is evaluated in steps, between which the server does
 * other work. That many take a few milliseconds.
 */
export const MAX_CHILDREN_AT_ONCE = 2_000;

/**
 * Reads the children that a query selects, in query order. Records slow and unindexed queries for
 * administrators. `maxScanned` limits the children that a query without a usable index reads: beyond it, `ScanTooLong`
 * is thrown.
 */
export function readRecordedQuery(
  transaction: WriteTransaction,
  database: Database,
  path: Path,
  query: Query,
  maxScanned?: number,
): readonly Entry[] {
  const startedMs = database.elapsedMs();
  const scanned = { children: 0, ...(maxScanned === undefined ? {} : { max: maxScanned }) };
  const entries = database.tree(transaction).readQuery(path, query, scanned);
  recordIfSlowOrUnindexed(transaction, database, path, query, {
    ms: database.elapsedMs() - startedMs,
    children: scanned.children,
  });
  return entries;
}

/**
 * Reads the children that a query selects: in query order if it has a limit, else in any order. Throws
 * `PostponedRequest` if the query has to read more than `MAX_CHILDREN_AT_ONCE` children, or if `scan` has not
 * finished. The caller then runs the request again and passes the `scan` of this error. Throws `request/overload` if
 * the query selects too much, or the data changes faster than `scan` reads it.
 */
export function readOrPostpone(
  transaction: WriteTransaction,
  database: Database,
  path: Path,
  query: Query,
  { scan, memory }: { readonly scan: PendingScan | undefined; readonly memory: ScanMemory },
): readonly Entry[] {
  const { stepwise } = database;
  if (stepwise === null) return readRecordedQuery(transaction, database, path, query);
  if (scan === undefined)
    try {
      return readRecordedQuery(transaction, database, path, query, MAX_CHILDREN_AT_ONCE);
    } catch (error) {
      if (!(error instanceof ScanTooLong)) throw error;
      const started = stepwise.start(database, path, query, memory);
      throw new PostponedRequest(started, started);
    }
  const entries = scan.findEntries(transaction.tx);
  if (entries === undefined) throw new PostponedRequest(scan, scan);
  recordIfSlowOrUnindexed(transaction, database, path, query, scan.cost);
  return entries;
}

function recordIfSlowOrUnindexed(
  transaction: WriteTransaction,
  database: Database,
  path: Path,
  query: Query,
  { ms, children }: PendingScan['cost'],
): void {
  const hasIndex = isIndexed(database, path, query.index);
  if (!hasIndex || ms >= SLOW_MS)
    database.activity.queries.record({
      location: rulesLocation(database.rules, path),
      orderBy: indexName(query.index),
      isIndexed: hasIndex,
      isRejected: false,
      ms,
      children,
      atMs: transaction.nowMs,
    });
}

/**
 * Minimum number of pieces in the first step, even if its time is over, so that a small response is not split
 * when the process was delayed.
 */
const FIRST_STEP_PIECES = 4;

/** The services that reads need. */
export interface ReadServices {
  readonly store: SnapshotKvStore;
  readonly clock: Clock;
  readonly lane: ReadLane;
  readonly logger: Logger;
  /** The places for long responses of all networks together. */
  readonly longReads: ResourcePool;
}

/**
 * Executes one read on the current state of the transaction. A result that fits in one step is returned
 * immediately. A longer read starts again on a snapshot of that state, after the transaction. `hash` is that of the whole
 * node if it is requested. Throws `access/denied`, `query/unindexed`, and `request/overload` if too many long reads are
 * running.
 */
export function executeRead(
  transaction: WriteTransaction,
  database: Database,
  request: ReadRequest,
  reading: ReadServices,
  hash: string | null,
): ReadAnswer {
  const { path, form, selection, timeoutMs, isFollowUp = false } = request;
  const query = selection.kind === 'query' ? selection.query : null;
  const target = { path, query };
  if (!isFollowUp) requireReadable(transaction, database, request, target);
  else if (!isReadable(transaction, database, request, target)) throw new RequestError('access/denied');
  if (query !== null) requireIndexed(transaction, database, path, query.index);
  const tree = database.tree(transaction);
  const stored = selection.kind === 'node' ? tree.findStoredJson(path, form) : undefined;
  if (stored !== undefined) return { json: { kind: 'whole', bytes: stored }, hash };
  const openPieces = tree.selectionJson(path, selection, form);
  const { pieces, isLast } = takeStep(openPieces(transaction.tx), reading.clock, FIRST_STEP_PIECES);
  if (isLast) return { json: { kind: 'whole', bytes: joinPieces(pieces) }, hash };
  const holder = {
    network: request.networkOf?.() ?? MANY_CLIENTS,
    isPrivileged: canReadAll(request.identity),
    identity: identityNameOf(request.identity, database.name),
  };
  const parts = new SnapshotParts({ ...reading, openPieces, timeoutMs, holder });
  return { json: { kind: 'parts', parts, broken: parts.broken }, hash };
}

function joinPieces(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}

/** Length of a value above which it is generated in steps, in bytes of JSON text. */
export const MAX_VALUE_AT_ONCE_BYTES = 262_144;

/** A value of the database as a client reads it. */
export interface ReadValue {
  readonly path: Path;
  /** Returns its JSON text. Throws `read/too-big` above `maxBytes`. */
  readonly json: (maxBytes?: number) => string;
  /** Generates its JSON text in steps. */
  readonly openPieces: ValueRequest['openPieces'];
  readonly otherMemory?: () => ScanMemory | undefined;
}

/**
 * Returns the text of a value that a client listens to or reads. A long one is generated in steps, in its state within
 * the transaction. Throws `PostponedRequest` while too many of them are generated.
 */
export function readValueText(
  transaction: WriteTransaction,
  database: Database,
  memory: ScanMemory,
  value: ReadValue,
): string | PendingText {
  if (database.stepwise === null) return value.json();
  return (
    unlessTooBig(() => value.json(MAX_VALUE_AT_ONCE_BYTES)) ??
    startValue(transaction, database, memory, { ...value, openHash: null, expectedHash: '' })
  );
}

/** Begins to generate a value in steps. */
export function startValue(
  transaction: WriteTransaction,
  { stepwise, name }: Database,
  memory: ScanMemory,
  value: Omit<ValueRequest, 'database' | 'memory'>,
): PendingText {
  const pending = must(stepwise, 'long values are generated in steps').startValue({
    ...value,
    database: name,
    memory,
  });
  transaction.onRollback(() => pending.stop());
  return pending;
}
