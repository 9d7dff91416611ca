import { Refusal } from '@hearth/core/fault/refusal.ts';
import { isUnfiltered, type Query } from '@hearth/core/query/query.ts';
import { isReadAllowed, isWriteAllowed } from '@hearth/core/rules/decide-operation.ts';
import type { ReadOperation } from '@hearth/core/rules/operation.ts';
import { NO_QUERY, PLAIN_REST_QUERY, queryVariables } from '@hearth/core/rules/query-variables.ts';
import type { AuthObject, QueryVariables } from '@hearth/core/rules/rule-value.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { Turn } from '../commit/turn.ts';
import type { DecidedOperation } from '../denials/asked-operation.ts';
import type { OperationName } from '../denials/operation-name.ts';
import type { Identity } from '../identity/identity.ts';
import type { ValueWrite } from '../log/commit.ts';
import type { Asker } from './asker.ts';
import type { Database } from './database.ts';

/** What is read: a whole node, or what a query shows of it. */
export interface ReadTarget {
  readonly path: Path;
  readonly query: Query | null;
}

/** May this be read, by the rules and the data of now? Rules do not apply to administrators. */
export function mayRead(turn: Turn, database: Database, asker: Asker, target: ReadTarget): boolean {
  if (asker.identity.kind === 'admin') return true;
  const read = readOperation(turn, database, asker, target);
  const isAllowed = isReadAllowed(database.rules, read);
  tell(turn, database, asker, { kind: 'read', read }, isAllowed);
  return isAllowed;
}

/** The same as `mayRead`, where nobody has asked: no observer is told. */
export function isReadable(turn: Turn, database: Database, asker: Asker, target: ReadTarget): boolean {
  if (asker.identity.kind === 'admin') return true;
  return isReadAllowed(database.rules, readOperation(turn, database, asker, target));
}

/** Refuses with `access/denied` what `mayRead` does not allow. */
export function mustBeReadable(turn: Turn, database: Database, asker: Asker, target: ReadTarget): void {
  if (!mayRead(turn, database, asker, target)) throw new Refusal('access/denied');
}

/**
 * Refuses with `access/denied` unless all of the writes may be made together. Their placeholders were resolved for
 * `timeMs`, which is what rules call `now`.
 */
export function mustBeWritable(
  turn: Turn,
  database: Database,
  asker: Asker,
  writes: readonly ValueWrite[],
  timeMs: number,
): void {
  const { identity } = asker;
  if (identity.kind === 'admin') return;
  const write = { auth: authOf(identity), now: timeMs, tree: database.tree(turn), writes };
  const isAllowed = isWriteAllowed(database.rules, write);
  tell(turn, database, asker, { kind: 'write', write }, isAllowed);
  if (!isAllowed) throw new Refusal('access/denied');
}

function readOperation(
  turn: Turn,
  database: Database,
  { identity, operation }: Asker,
  { path, query }: ReadTarget,
): ReadOperation {
  return {
    auth: authOf(identity),
    now: turn.nowMs,
    tree: database.tree(turn),
    path,
    query: variablesOf(operation, query),
  };
}

function tell(
  turn: Turn,
  { verdicts, rules }: Database,
  { operation: name, identity }: Asker,
  operation: DecidedOperation,
  isAllowed: boolean,
): void {
  verdicts?.tell(turn, { name, identity, rules, operation }, isAllowed);
}

/** A query that leaves everything to the defaults is none. */
function variablesOf(operation: OperationName, query: Query | null): QueryVariables {
  if (query !== null && !(isUnfiltered(query) && query.index.kind === 'priority'))
    return queryVariables(query);
  return operation === 'GET' ? PLAIN_REST_QUERY : NO_QUERY;
}

function authOf(identity: Identity): AuthObject | null {
  return identity.kind === 'user' ? identity.auth : null;
}
