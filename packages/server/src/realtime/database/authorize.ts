import { RequestError } from '@hearth/core/error/request-error.ts';
import { isUnfiltered, type Query } from '@hearth/core/query/query.ts';
import {
  canBeGranted,
  isDeniedByNewData,
  isReadAllowed,
  isWriteAllowed,
  mentionsNewData,
} from '@hearth/core/rules/evaluate/decide.ts';
import type { ProposedWrite, ReadOperation, WriteOperation } from '@hearth/core/rules/evaluate/operation.ts';
import { findChildRule, type RuleNode, type RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { NO_QUERY, PLAIN_REST_QUERY, queryVariables } from '@hearth/core/rules/evaluate/scope.ts';
import type { AuthObject, QueryVariables } from '@hearth/core/rules/evaluate/values.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { DecidedOperation, OperationName, RequestContext } from '../../access/authorization-request.ts';
import { isMemberRequest, type Principal } from '../../access/principal.ts';
import { canReadAll, isReadOnlyCaller, requireWriteAccess } from '../../access/rights.ts';
import { decideStored, type StoredDecision } from '../../rules/stored-validation.ts';
import type { KvRead } from '../../storage/kv/store.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { measureDecision } from '../monitoring/costs/measured.ts';
import { type Database, PostponedRequest } from './database.ts';
import { findHash } from './hash-steps.ts';
import type { DatabaseTree } from './tree-view.ts';
import type { ExpectedNode } from './write-input.ts';

/** The node to read, or a query of it. */
export interface ReadTarget {
  readonly path: Path;
  readonly query: Query | null;
}

/**
 * Returns whether the rules allow a read on the current data. Principals that can read everything are always allowed.
 * Records the read, and the decision of the rules if there is one. The path of a member's read is not counted, because the
 * console would otherwise fill the list of the most read paths with what its own views show.
 */
export function mayRead(
  transaction: WriteTransaction,
  database: Database,
  context: RequestContext,
  target: ReadTarget,
): boolean {
  database.activity.recordRead(isMemberRequest(context.identity) ? null : target.path, database.rules.root);
  if (canReadAll(context.identity)) return true;
  const read = readOperation(transaction, database, context, target);
  const isAllowed = measureDecision(database, target.path, () => isReadAllowed(database.rules, read));
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

/** Proposed writes to a tree. */
export interface Proposal {
  readonly tree: DatabaseTree;
  readonly writes: readonly ProposedWrite[];
  /** The value of `now` in rules. */
  readonly timeMs: number;
  /** The time that placeholders are resolved for, if that is not `timeMs`. Rules that read the values see it as `now`. */
  readonly resolvedMs?: number | undefined;
}

/**
 * Throws `write/stale` if the hash of the node differs from the expected one, or the node changes faster than it can be
 * hashed. Throws `PostponedRequest` until it is hashed.
 */
export function requireNotStale(
  transaction: WriteTransaction,
  database: Database,
  context: RequestContext,
  expected: ExpectedNode | undefined,
): void {
  if (expected === undefined) return;
  const { hash, isCurrent } = findHash(transaction, database, context, expected.path, expected);
  if (!isCurrent || hash !== expected.hash) throw new RequestError('write/stale');
}

/**
 * Throws `access/denied` unless the rules allow all writes together, the errors of `requireWriteAccess`, and those of
 * `requireNotStale`.
 *
 * Throws `write/stale` instead of `access/denied` if the precondition fails, the caller may read the node, and the rules
 * deny only the new values. A client transaction begins with a guess of the current value, and clients
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
  if (identity.kind === 'admin') {
    requireNotStale(transaction, database, context, expected);
    return;
  }
  // Read-only administrators are rejected before the rules are evaluated, so the error does not blame the
  // rules.
  requireWriteAccess(identity);
  const write = writeOperation(identity, proposal);
  // A recorded operation has one time, so an operation with two cannot be decided again.
  const isUnrepeatable = proposal.resolvedMs !== undefined;
  decideWrite(transaction, database, context, write, { expected, isUnrepeatable });
}

/** Decides and records a write as `authorizeWrite` describes. */
function decideWrite(
  transaction: WriteTransaction,
  database: Database,
  context: RequestContext,
  write: WriteOperation,
  {
    expected,
    isUnrepeatable,
    isAllowed = measureDecision(database, write.writes[0]?.path, () => isWriteAllowed(database.rules, write)),
  }: {
    readonly expected: ExpectedNode | undefined;
    readonly isUnrepeatable: boolean;
    /** The decision, if it is known. */
    readonly isAllowed?: boolean | undefined;
  },
): void {
  const mayBeStale =
    expected !== undefined &&
    (isAllowed ||
      (isDeniedByNewData(database.rules, write) &&
        isReadable(transaction, database, context, { path: expected.path, query: null })));
  // Before the decision is recorded, because the request may run again.
  const found = mayBeStale ? findHash(transaction, database, context, expected.path, expected) : null;
  const isStale = found !== null && !(found.isCurrent && found.hash === expected?.hash);
  if (isAllowed || !isStale)
    recordDecision(transaction, database, context, { kind: 'write', write }, isAllowed, isUnrepeatable);
  if (isStale) throw new RequestError('write/stale');
  if (!isAllowed) throw new RequestError('access/denied');
}

/**
 * Returns whether the rules allow the writes. Records only a denial, because allowed writes are decided again when they are
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
function writeOperation(identity: Principal, { tree, writes, timeMs, resolvedMs }: Proposal): WriteOperation {
  return { auth: authOf(identity), now: timeMs, resolvedMs, tree, writes };
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

/** Records a decision. `isUnrepeatable`: the operation cannot be decided again from what is recorded. */
function recordDecision(
  transaction: WriteTransaction,
  { activity, decisions, rules }: Database,
  { operation: name, identity, networkOf }: RequestContext,
  operation: DecidedOperation,
  isAllowed: boolean,
  isUnrepeatable = false,
): void {
  if (!isAllowed) activity.recordDenied();
  decisions?.notify(transaction, { name, identity, rules, operation, isUnrepeatable, networkOf }, isAllowed);
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
 * Returns whether the rules can authorize replacing the node at `path` without reading the new value. This is the case
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
 * Throws `access/denied` if the rules would deny replacing the node at a path now, whatever its new value is, and the
 * errors of `requireWriteAccess`. Records only a denial, because the write is decided when its value is known.
 */
export function requireMayBeAllowed(
  transaction: WriteTransaction,
  database: Database,
  context: RequestContext,
  path: Path,
): void {
  const { identity } = context;
  if (identity.kind === 'admin') return;
  requireWriteAccess(identity);
  const { rules } = database;
  const write = operationWithoutValues(transaction, database, identity, [path]);
  const mayBeAllowed = canAuthorizeWithoutValue(rules, path, identity)
    ? isWriteAllowed(rules, write)
    : canBeGranted(rules, write);
  if (mayBeAllowed) return;
  recordDecision(transaction, database, context, { kind: 'write', write }, false, true);
  throw new RequestError('access/denied');
}

/** A node that is stored and not linked yet, as rules read it. */
export interface StoredProposal {
  readonly path: Path;
  /** The stored node: the same object when the request runs again. */
  readonly stored: object;
  /** Reads the node from any view of the current state. */
  readonly findNode: (tx: KvRead) => TreeNode | null;
}

/** The caller of a write whose value is stored before it takes effect, and its precondition. */
export interface StoredContext extends RequestContext {
  /** Compare-and-set: the node that must exist before the write. */
  readonly expected?: ExpectedNode | undefined;
  /** The time that timestamps in the value were resolved to. Rules that read the value see it as `now`. */
  readonly resolvedMs?: number;
}

/**
 * Decides writes of stored values like `authorizeWrite`. Rules read the values from the store. Throws `PostponedRequest`
 * until a large value is validated.
 */
export function authorizeStored(
  transaction: WriteTransaction,
  database: Database,
  context: StoredContext,
  proposals: readonly StoredProposal[],
): void {
  const { identity, expected, resolvedMs } = context;
  if (identity.kind === 'admin') {
    requireNotStale(transaction, database, context, expected);
    return;
  }
  requireWriteAccess(identity);
  const { rules } = database;
  const paths = proposals.map(({ path }) => path);
  const needsValues = !paths.every((path) => canAuthorizeWithoutValue(rules, path, identity));
  const withoutValues = operationWithoutValues(transaction, database, identity, paths);
  const write = needsValues
    ? withValues(transaction.tx, { ...withoutValues, resolvedMs }, proposals)
    : withoutValues;
  const [only] = proposals;
  const isStepwise =
    needsValues && only !== undefined && proposals.length === 1 && database.stepwise !== null;
  const decided = isStepwise ? decideInSteps(transaction, database, context, write, only) : undefined;
  decideWrite(transaction, database, context, decided?.write ?? write, {
    expected,
    isUnrepeatable: true,
    isAllowed: decided?.isAllowed,
  });
}

function withValues(tx: KvRead, write: WriteOperation, proposals: readonly StoredProposal[]): WriteOperation {
  return {
    ...write,
    writes: proposals.map(({ path, findNode }) => ({ kind: 'node', path, node: findNode(tx) })),
  };
}

/**
 * Decides the write of one stored value whose `.validate` rules are evaluated in steps. Throws `PostponedRequest` until
 * they are evaluated in the current state. Returns `undefined` if the write is decided at once.
 */
function decideInSteps(
  transaction: WriteTransaction,
  database: Database,
  { identity, networkOf }: StoredContext,
  write: WriteOperation,
  proposal: StoredProposal,
): StoredDecision | undefined {
  const { rules, stepwise } = database;
  if (stepwise === null) return undefined;
  const openTree = database.tree(transaction).ruleTree();
  const decision = decideStored(proposal.stored, {
    write,
    state: { rules, identity, seq: transaction.lastSeq(database.name) },
    network: networkOf?.(),
    compute: (openSteps, isStopped) => stepwise.compute(openSteps, isStopped),
    openWrite: (tx) => withValues(tx, { ...write, tree: openTree(tx) }, [proposal]),
    onRollback: (rollback) => transaction.onRollback(rollback),
  });
  if (decision?.kind === 'waits') throw new PostponedRequest(decision.wait);
  return decision;
}

/** Returns the write of unknown values. It removes the nodes, so that it has no values to validate. */
function operationWithoutValues(
  transaction: WriteTransaction,
  database: Database,
  identity: Principal,
  paths: readonly Path[],
): WriteOperation {
  const writes = paths.map((path) => ({ kind: 'node', path, node: null }) as const);
  const timeMs = transaction.commitTimeMs(database.name);
  return writeOperation(identity, { tree: database.tree(transaction), writes, timeMs });
}

function needsNewValue({ write, validate }: RuleNode): boolean {
  return validate !== null || (write !== null && mentionsNewData(write.expression));
}
