import { RequestError } from '@hearth/core/error/request-error.ts';
import { isUnfiltered, type Query } from '@hearth/core/query/query.ts';
import {
  isDeniedByNewData,
  isReadAllowed,
  isWriteAllowed,
  mentionsNewData,
} from '@hearth/core/rules/evaluate/decide.ts';
import type { ReadOperation, WriteOperation } from '@hearth/core/rules/evaluate/operation.ts';
import { findChildRule, type RuleNode, type RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { NO_QUERY, PLAIN_REST_QUERY, queryVariables } from '@hearth/core/rules/evaluate/scope.ts';
import type { AuthObject, QueryVariables } from '@hearth/core/rules/evaluate/values.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { DecidedOperation, OperationName, RequestContext } from '../../access/authorization-request.ts';
import type { Principal } from '../../access/principal.ts';
import { canReadAll, isReadOnlyCaller, requireWriteAccess } from '../../access/rights.ts';
import { nodeWrite, type ValueWrite } from '../../storage/log/commit.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Database } from './database.ts';
import type { DatabaseTree } from './tree-view.ts';
import type { ExpectedNode } from './write-input.ts';

/** The node to read, or a query of it. */
export interface ReadTarget {
  readonly path: Path;
  readonly query: Query | null;
}

/**
 * Whether the rules allow a read on the current data. Principals that can read everything are always allowed.
 * Records the read, and the decision of the rules if there is one.
 */
export function mayRead(
  transaction: WriteTransaction,
  database: Database,
  context: RequestContext,
  target: ReadTarget,
): boolean {
  database.activity.recordRead(target.path, database.rules.root);
  if (canReadAll(context.identity)) return true;
  const read = readOperation(transaction, database, context, target);
  const isAllowed = isReadAllowed(database.rules, read);
  recordDecision(transaction, database, context, { kind: 'read', read }, isAllowed);
  return isAllowed;
}

/** Like `mayRead`, but records nothing. */
export function isReadable(
  transaction: WriteTransaction,
  database: Database,
  context: RequestContext,
  target: ReadTarget,
): boolean {
  return (
    canReadAll(context.identity) ||
    isReadAllowed(database.rules, readOperation(transaction, database, context, target))
  );
}

/** Throws `access/denied` unless `mayRead` returns true. */
export function requireReadable(
  transaction: WriteTransaction,
  database: Database,
  context: RequestContext,
  target: ReadTarget,
): void {
  if (!mayRead(transaction, database, context, target)) throw new RequestError('access/denied');
}

/** Proposed writes to a tree. Placeholders are resolved for `timeMs`, which rules see as `now`. */
export interface Proposal {
  readonly tree: DatabaseTree;
  readonly writes: readonly ValueWrite[];
  readonly timeMs: number;
}

/** Whether the hash of the node differs from the expected one. */
export function isStale(tree: DatabaseTree, { path, hash }: ExpectedNode): boolean {
  return tree.hash(path) !== hash;
}

/**
 * Throws `access/denied` unless the rules allow all writes together, and the errors of `requireWriteAccess`.
 *
 * Throws `write/stale` instead if the precondition fails, the caller may read the node, and the rules deny only
 * the new values. A client transaction begins with a guess of the current value, and clients
 * retry stale writes, but not denied ones.
 */
export function authorizeWrite(
  transaction: WriteTransaction,
  database: Database,
  context: RequestContext,
  proposal: Proposal,
  expected?: ExpectedNode,
): void {
  const { identity } = context;
  if (identity.kind === 'admin') return;
  // Read-only administrators are rejected before the rules are evaluated, so the error does not blame the
  // rules.
  requireWriteAccess(identity);
  const write = writeOperation(identity, proposal);
  const isAllowed = isWriteAllowed(database.rules, write);
  if (!isAllowed && expected !== undefined && isDeniedByNewData(database.rules, write)) {
    const mayKnow = isReadable(transaction, database, context, { path: expected.path, query: null });
    if (mayKnow && isStale(proposal.tree, expected)) throw new RequestError('write/stale');
  }
  recordDecision(transaction, database, context, { kind: 'write', write }, isAllowed);
  if (!isAllowed) throw new RequestError('access/denied');
}

/**
 * Whether the rules allow the writes. Records only a denial, because allowed writes are decided again when they are
 * made.
 */
export function mayWrite(
  transaction: WriteTransaction,
  database: Database,
  context: RequestContext,
  proposal: Proposal,
): boolean {
  const { identity } = context;
  if (identity.kind === 'admin') return true;
  if (isReadOnlyCaller(identity)) return false;
  const write = writeOperation(identity, proposal);
  const isAllowed = isWriteAllowed(database.rules, write);
  if (!isAllowed) recordDecision(transaction, database, context, { kind: 'write', write }, false);
  return isAllowed;
}

/** Returns the write as the rules evaluate it, for a principal that rules apply to. */
function writeOperation(identity: Principal, { tree, writes, timeMs }: Proposal): WriteOperation {
  return { auth: authOf(identity), now: timeMs, tree, writes };
}

function readOperation(
  transaction: WriteTransaction,
  database: Database,
  { identity, operation }: RequestContext,
  { path, query }: ReadTarget,
): ReadOperation {
  return {
    auth: authOf(identity),
    now: transaction.nowMs,
    tree: database.tree(transaction),
    path,
    query: variablesOf(operation, query),
  };
}

/** Records a decision. `isValueIndependent`: the values of the write are not the values that will be stored. */
function recordDecision(
  transaction: WriteTransaction,
  { activity, decisions, rules }: Database,
  { operation: name, identity, networkOf }: RequestContext,
  operation: DecidedOperation,
  isAllowed: boolean,
  isValueIndependent = false,
): void {
  if (!isAllowed) activity.recordDenied();
  decisions?.notify(
    transaction,
    { name, identity, rules, operation, isValueIndependent, networkOf },
    isAllowed,
  );
}

/** Returns the query as rules see it. A query with only default values counts as no query. */
function variablesOf(operation: OperationName, query: Query | null): QueryVariables {
  if (query !== null && !(isUnfiltered(query) && query.index.kind === 'priority'))
    return queryVariables(query);
  return operation === 'GET' || operation === 'stream' ? PLAIN_REST_QUERY : NO_QUERY;
}

function authOf(identity: Principal): AuthObject | null {
  return identity.kind === 'user' ? identity.auth : null;
}

/**
 * Whether the rules can authorize replacing the node at `path` without reading the new value. This is the case
 * unless a `.validate` may apply or a `.write` on the path reads `newData`.
 */
export function canAuthorizeWithoutValue(rules: RuleSet, path: Path, identity: Principal): boolean {
  // Read-only administrators are rejected before any value is read.
  if (identity.kind === 'admin' || isReadOnlyCaller(identity)) return true;
  let node: RuleNode | undefined = rules.root;
  for (const key of path) {
    if (needsNewValue(node)) return false;
    node = findChildRule(node, key);
    if (node === undefined) return true;
  }
  return !node.hasValidate && !needsNewValue(node);
}

/**
 * Throws `access/denied` unless the nodes at these paths may be replaced together without reading the new
 * values, and the errors of `requireWriteAccess`. A write is also denied if the rules need the new values. The caller
 * checks a write when it begins and again when it ends, because the rules may change in between. Records denials by
 * rules, and at the end also an allowed write.
 */
export function authorizeWithoutValue(
  transaction: WriteTransaction,
  database: Database,
  context: RequestContext,
  paths: readonly Path[],
  moment: 'begin' | 'end',
): void {
  const { identity } = context;
  if (identity.kind === 'admin') return;
  requireWriteAccess(identity);
  if (!paths.every((path) => canAuthorizeWithoutValue(database.rules, path, identity)))
    throw new RequestError('access/denied');
  const writes = paths.map((path) => nodeWrite(path, null));
  const timeMs = transaction.commitTimeMs(database.name);
  const write = writeOperation(identity, { tree: database.tree(transaction), writes, timeMs });
  const isAllowed = isWriteAllowed(database.rules, write);
  if (!isAllowed || moment === 'end')
    recordDecision(transaction, database, context, { kind: 'write', write }, isAllowed, true);
  if (!isAllowed) throw new RequestError('access/denied');
}

function needsNewValue({ write, validate }: RuleNode): boolean {
  return validate !== null || (write !== null && mentionsNewData(write.expression));
}
