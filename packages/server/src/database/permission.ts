import { Refusal } from '@hearth/core/fault/refusal.ts';
import { isUnfiltered, type Query } from '@hearth/core/query/query.ts';
import { isReadAllowed, isWriteAllowed } from '@hearth/core/rules/decide-operation.ts';
import type { ReadOperation, WriteOperation } from '@hearth/core/rules/operation.ts';
import { NO_QUERY, PLAIN_REST_QUERY, queryVariables } from '@hearth/core/rules/query-variables.ts';
import { isRefusedForWritten } from '@hearth/core/rules/refused-for-written.ts';
import type { AuthObject, QueryVariables } from '@hearth/core/rules/rule-value.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { Turn } from '../commit/turn.ts';
import type { DecidedOperation } from '../denials/asked-operation.ts';
import type { OperationName } from '../denials/operation-name.ts';
import type { Identity } from '../identity/identity.ts';
import { mustNotOnlyLook } from '../identity/must-not-only-look.ts';
import { seesAll } from '../identity/sees-all.ts';
import type { ValueWrite } from '../log/commit.ts';
import type { Asker } from './asker.ts';
import type { Database } from './database.ts';
import type { ExpectedNode } from './expected-node.ts';
import type { DatabaseTree } from './tree-view.ts';

/** What is read: a whole node, or what a query shows of it. */
export interface ReadTarget {
  readonly path: Path;
  readonly query: Query | null;
}

/** May this be read, by the rules and the data of now? Rules do not apply to those who see all. */
export function mayRead(turn: Turn, database: Database, asker: Asker, target: ReadTarget): boolean {
  database.activity.noteRead(target.path);
  if (seesAll(asker.identity)) return true;
  const read = readOperation(turn, database, asker, target);
  const isAllowed = isReadAllowed(database.rules, read);
  tellVerdict(turn, database, asker, { kind: 'read', read }, isAllowed);
  return isAllowed;
}

/** The same where nobody asks to read, so that nobody who keeps what is asked is told. */
export function isReadable(turn: Turn, database: Database, asker: Asker, target: ReadTarget): boolean {
  return (
    seesAll(asker.identity) || isReadAllowed(database.rules, readOperation(turn, database, asker, target))
  );
}

/** Refuses with `access/denied` what `mayRead` does not allow. */
export function mustBeReadable(turn: Turn, database: Database, asker: Asker, target: ReadTarget): void {
  if (!mayRead(turn, database, asker, target)) throw new Refusal('access/denied');
}

/** What somebody wants to write to a tree. Placeholders were resolved for `timeMs`, which is what rules call `now`. */
export interface Proposal {
  readonly tree: DatabaseTree;
  readonly writes: readonly ValueWrite[];
  readonly timeMs: number;
}

/** Does the node at a place have another hash than somebody expects? */
export function isStale(tree: DatabaseTree, { path, hash }: ExpectedNode): boolean {
  return tree.hash(path) !== hash;
}

/**
 * Refuses with `access/denied` unless all of the writes may be made together.
 *
 * Who expects something else to be there, may read it, and is refused only for what would be written is refused with
 * `write/stale` instead: a transaction begins with a guess, and clients try again what is stale, not what is denied.
 */
export function mustBeWritable(
  turn: Turn,
  database: Database,
  asker: Asker,
  proposal: Proposal,
  expected?: ExpectedNode,
): void {
  const { identity } = asker;
  if (identity.kind === 'admin') return;
  // Whatever rules say, which are not asked and so not blamed.
  mustNotOnlyLook(identity);
  const write = writeOperation(identity, proposal);
  const isAllowed = isWriteAllowed(database.rules, write);
  if (!isAllowed && expected !== undefined && isRefusedForWritten(database.rules, write)) {
    const mayKnow = isReadable(turn, database, asker, { path: expected.path, query: null });
    if (mayKnow && isStale(proposal.tree, expected)) throw new Refusal('write/stale');
  }
  tellVerdict(turn, database, asker, { kind: 'write', write }, isAllowed);
  if (!isAllowed) throw new Refusal('access/denied');
}

/** A write by somebody whom rules apply to. */
export function writeOperation(identity: Identity, { tree, writes, timeMs }: Proposal): WriteOperation {
  return { auth: authOf(identity), now: timeMs, tree, writes };
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

/** Tells who keeps what rules say. `isUnseen`: the values of the write are not those that will be stored. */
export function tellVerdict(
  turn: Turn,
  { activity, verdicts, rules }: Database,
  { operation: name, identity }: Asker,
  operation: DecidedOperation,
  isAllowed: boolean,
  isUnseen = false,
): void {
  if (!isAllowed) activity.noteDenied();
  verdicts?.tell(turn, { name, identity, rules, operation, isUnseen }, isAllowed);
}

/** A query that leaves everything to the defaults is none. */
function variablesOf(operation: OperationName, query: Query | null): QueryVariables {
  if (query !== null && !(isUnfiltered(query) && query.index.kind === 'priority'))
    return queryVariables(query);
  return operation === 'GET' || operation === 'stream' ? PLAIN_REST_QUERY : NO_QUERY;
}

function authOf(identity: Identity): AuthObject | null {
  return identity.kind === 'user' ? identity.auth : null;
}
