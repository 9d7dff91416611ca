import type { Key } from '../../tree/key.ts';
import type { TreeNode } from '../../tree/node.ts';
import { type Path, pathOf, ROOT } from '../../tree/path.ts';
import { type Expression, subExpressions } from '../syntax/expression.ts';
import type { ProposedWrite, ReadOperation, WriteOperation } from './operation.ts';
import { findChildRule, type Rule, type RuleNode, type RuleSet } from './rule-set.ts';
import { NO_QUERY, type Scope } from './scope.ts';
import { proposedView } from './views.ts';
import { tooMuchWorkError, WorkBudget } from './work-budget.ts';

/** Returns whether the rule holds in the scope. The scope changes between two calls, so do not store it. */
export type EvaluateRule = (rule: Rule, scope: Scope) => boolean;

/**
 * Evaluates the rules for a read, from the root down, until one grants it. Returns the denied path, or `null`
 * if the read is allowed.
 */
export function findDeniedRead(
  rules: RuleSet,
  operation: ReadOperation,
  evaluate: EvaluateRule,
): Path | null {
  const { auth, now, tree, path, query } = operation;
  const work = new WorkBudget();
  const scope: Scope = { auth, now, before: tree, after: tree, query, path, work };
  let node: RuleNode | undefined = rules.root;
  for (let depth = 0; node !== undefined; depth++) {
    if (node.read !== null && evaluate(node.read, scope)) return null;
    const key = path[depth];
    if (key === undefined) break;
    node = findChildRule(node, key);
  }
  return path;
}

/**
 * Evaluates the rules for a write until a path is denied: first the rules that must grant each path, then the rules
 * that must validate the result. Returns the denied path, or `null` if the write is allowed. Does not evaluate a rule
 * twice for the same path if paths with common keys follow each other. Throws `write/too-big` when the operation
 * exceeds its work budget.
 */
export function findDeniedWrite(
  rules: RuleSet,
  operation: WriteOperation,
  evaluate: EvaluateRule,
): Path | null {
  const { root } = rules;
  const scope = writeScope(operation, evaluate);
  const denied = findNotGranted(root, scope);
  if (denied !== null || !root.hasValidate) return denied;
  return findInvalid(root, scope);
}

/** Returns the locations of the rules from the root down to a path, or to the last one that exists. */
function findRulesAlongPath(root: RuleNode, path: Path): readonly RuleNode[] {
  const found = [root];
  let node: RuleNode | undefined = root;
  for (const key of path) {
    node = findChildRule(node, key);
    if (node === undefined) break;
    found.push(node);
  }
  return found;
}

/** The scope of a write. It moves from path to path. */
interface WriteScope extends Scope {
  now: number;
  path: Path;
  written: TreeNode | null | undefined;
  /** The current write. */
  write: ProposedWrite | undefined;
  /** The locations of the rules from the root down to the path of the current write. */
  rules: readonly RuleNode[];
  readonly work: WorkBudget;
  readonly evaluate: EvaluateRule;
  /** The times that rules see as `now`; `null` if all see the same. */
  readonly times: Pick<WriteOperation, 'now' | 'resolvedMs'> | null;
  readonly writes: readonly ProposedWrite[];
  readonly invalidAt: Path | undefined;
  /** Number of values visited since the last pause of `invalidSteps`. */
  visited: number;
  /** The work left at which `invalidSteps` pauses next. */
  pausesAt: number;
}

/** Evaluates the `.validate` rules of a write. Returns the first invalid path, or `null`. */
type InvalidSteps = Generator<undefined, Path | null>;

/** Maximum number of values visited between two pauses. Most take a microsecond or two. */
const MAX_VISITED = 64;

/** Work after which the next value is preceded by a pause, in units: about half a millisecond. */
const MAX_WORK_OF_STEP = 200_000;

const NO_RULES: readonly RuleNode[] = [];

function writeScope(operation: WriteOperation, evaluate: EvaluateRule, work = new WorkBudget()): WriteScope {
  const { auth, now, tree, writes, resolvedMs, invalidAt } = operation;
  const after = proposedView(tree, writes);
  return {
    auth,
    now,
    before: tree,
    after,
    query: NO_QUERY,
    path: ROOT,
    written: undefined,
    write: undefined,
    rules: NO_RULES,
    work,
    evaluate,
    times: resolvedMs === undefined || resolvedMs === now ? null : operation,
    writes,
    invalidAt,
    visited: 0,
    pausesAt: work.left - MAX_WORK_OF_STEP,
  };
}

/** Evaluates a rule of a write. Throws `write/too-big` when the work budget is exceeded. */
function evaluateWithin(rule: Rule, scope: WriteScope): boolean {
  const { times } = scope;
  if (times !== null) scope.now = (readsNewData(rule) ? times.resolvedMs : undefined) ?? times.now;
  if (!scope.work.spend(rule.cost)) throw tooMuchWorkError();
  const holds = scope.evaluate(rule, scope);
  if (scope.work.left < 0) throw tooMuchWorkError();
  return holds;
}

function moveTo(scope: WriteScope, write: ProposedWrite, root: RuleNode): void {
  if (write !== scope.write) scope.rules = findRulesAlongPath(root, write.path);
  scope.write = write;
  scope.path = write.path;
  scope.written = write.kind === 'node' ? write.node : undefined;
}

/** Returns the first path that no `.write` grants, or `null`. */
function findNotGranted(root: RuleNode, scope: WriteScope): Path | null {
  let previous: Path | null = null;
  let grantedAt = 0;
  for (const write of scope.writes) {
    const { path } = write;
    // The rules of the keys that this path shares with the previous path have been evaluated already.
    const from = firstNotShared(previous, path);
    previous = path;
    if (grantedAt < from) continue;
    moveTo(scope, write, root);
    const depth = findGrant(scope, from);
    if (depth === undefined) return path;
    grantedAt = depth;
  }
  return null;
}

/** Returns the depth of the first `.write` along the path that holds, starting at depth `from`. */
function findGrant(scope: WriteScope, from: number): number | undefined {
  const { rules } = scope;
  for (let depth = from; depth < rules.length; depth++) {
    const rule = rules[depth]?.write ?? null;
    if (rule !== null && evaluateWithin(rule, scope)) return depth;
  }
  return undefined;
}

/** Returns the first path that a `.validate` rejects, or `null`. */
function findInvalid(root: RuleNode, scope: WriteScope): Path | null {
  let previous: Path | null = null;
  for (const write of scope.writes) {
    const from = firstNotShared(previous, write.path);
    previous = write.path;
    moveTo(scope, write, root);
    const above = findInvalidAlongPath(write, scope, from);
    if (above !== null) return above;
    const rules = scope.rules[write.path.length];
    const below = rules && findInvalidInside(rules, scope.written, scope, write.path.slice());
    if (below) return below;
  }
  return null;
}

/**
 * Like `findInvalid`, but yields after every few values, so that the caller can do other work. Both exist because a
 * generator would make the rules of a small write cost a quarter more.
 */
function* invalidSteps(root: RuleNode, scope: WriteScope): InvalidSteps {
  let previous: Path | null = null;
  for (const write of scope.writes) {
    const from = firstNotShared(previous, write.path);
    previous = write.path;
    moveTo(scope, write, root);
    const above = findInvalidAlongPath(write, scope, from);
    if (above !== null) return above;
    const rules = scope.rules[write.path.length];
    const below = rules && (yield* invalidStepsInside(rules, scope.written, scope, write.path.slice()));
    if (below) return below;
  }
  return null;
}

/** Returns the first invalid path at or above the write, starting at depth `from`. */
function findInvalidAlongPath(write: ProposedWrite, scope: WriteScope, from: number): Path | null {
  const { rules } = scope;
  const isFilling = write.kind === 'node' && write.node !== null;
  for (let depth = from; depth < rules.length; depth++) {
    const rule = rules[depth]?.validate ?? null;
    if (rule === null) continue;
    // A path without data after the write need not be valid.
    const exists = isFilling || scope.after.findValue(pathOf(write.path.slice(0, depth))) !== null;
    if (exists && !evaluateWithin(rule, scope)) return pathOf(write.path.slice(0, depth));
  }
  return null;
}

/**
 * Returns the first invalid path below `keys`, where `value` is the new value. Visits only children that may have a
 * rule.
 */
function findInvalidInside(
  rules: RuleNode,
  value: TreeNode | null | undefined,
  scope: WriteScope,
  keys: Key[],
): Path | null {
  if (!rules.hasValidate || value?.kind !== 'inner') return null;
  const depth = keys.length;
  for (const key of visitedKeys(rules, value.children, scope.invalidAt?.[depth])) {
    const node = findChildRule(rules, key);
    const child = value.children.get(key);
    if (!node?.hasValidate || child === undefined) continue;
    keys[depth] = key;
    if (!isChildValid(node, child, scope, keys)) return pathOf([...keys]);
    const below = findInvalidInside(node, child, scope, keys);
    if (below !== null) return below;
  }
  keys.length = depth;
  return null;
}

/** Like `findInvalidInside`. Yields after every few values. */
function* invalidStepsInside(
  rules: RuleNode,
  value: TreeNode | null | undefined,
  scope: WriteScope,
  keys: Key[],
): InvalidSteps {
  if (!rules.hasValidate || value?.kind !== 'inner') return null;
  const depth = keys.length;
  for (const key of visitedKeys(rules, value.children, scope.invalidAt?.[depth])) {
    if (isPauseDue(scope)) yield;
    const node = findChildRule(rules, key);
    const child = value.children.get(key);
    if (!node?.hasValidate || child === undefined) continue;
    keys[depth] = key;
    if (!isChildValid(node, child, scope, keys)) return pathOf([...keys]);
    const below = child.kind === 'leaf' ? null : yield* invalidStepsInside(node, child, scope, keys);
    if (below !== null) return below;
  }
  keys.length = depth;
  return null;
}

/** Returns whether the `.validate` at `keys` accepts the new value there. */
function isChildValid(
  { validate }: RuleNode,
  child: TreeNode,
  scope: WriteScope,
  keys: readonly Key[],
): boolean {
  if (validate === null) return true;
  scope.path = pathOf(keys);
  scope.written = child;
  return evaluateWithin(validate, scope);
}

/**
 * Returns the keys of the children that may have a rule; with `only`, just that key. Iterates over the shorter of two
 * lists, so that neither many rules nor many values cause needless work.
 */
function visitedKeys(
  { validated, wildcard }: RuleNode,
  children: ReadonlyMap<Key, TreeNode>,
  only: Key | undefined,
): Iterable<Key> {
  if (only !== undefined) return [only];
  const isForAll = wildcard?.node.hasValidate === true;
  return isForAll || !hasAtLeast(children.keys(), validated.length) ? children.keys() : validated;
}

/** Returns whether the walk of `invalidSteps` has visited or cost enough since it last paused. */
function isPauseDue(scope: WriteScope): boolean {
  if (++scope.visited < MAX_VISITED && scope.work.left > scope.pausesAt) return false;
  scope.visited = 0;
  scope.pausesAt = scope.work.left - MAX_WORK_OF_STEP;
  return true;
}

/** Returns whether there are at least `count` items. The size of stored children is not known. */
function hasAtLeast(items: Iterator<unknown>, count: number): boolean {
  for (let taken = 0; taken < count; taken++) if (items.next().done === true) return false;
  return true;
}

/**
 * Returns the depth of the highest path at or above `path` that is not at or above `previous`. If there is
 * none, returns one more than the depth of `path`.
 */
function firstNotShared(previous: Path | null, path: Path): number {
  if (previous === null) return 0;
  let depth = 0;
  while (depth < path.length && path[depth] === previous[depth]) depth++;
  return depth + 1;
}

/** Returns whether an expression uses `newData`. */
export function mentionsNewData(e: Expression): boolean {
  return e.kind === 'variable' ? e.name === 'newData' : subExpressions(e).some(mentionsNewData);
}

/**
 * Returns whether a rule may read the values of a write. A `.validate` depends on them even if its expression does not
 * use them.
 */
function readsNewData({ kind, expression }: Rule): boolean {
  return kind === 'validate' || mentionsNewData(expression);
}

/**
 * Returns whether a write is denied because of its new value, so that another value might be allowed. This is
 * so if the write is granted but not valid, or if a rule that did not grant it uses `newData`.
 */
export function isDeniedByNewData(rules: RuleSet, operation: WriteOperation): boolean {
  let last: Rule | undefined;
  let usesNewData = false;
  const denied = findDeniedWrite(rules, operation, (rule, scope) => {
    last = rule;
    const holds = rule.evaluate(scope) === true;
    usesNewData ||= !holds && mentionsNewData(rule.expression);
    return holds;
  });
  return denied !== null && (last?.kind === 'validate' || usesNewData);
}

/** Returns whether `.read` holds at the path or above it. */
export function isReadAllowed(rules: RuleSet, operation: ReadOperation): boolean {
  return findDeniedRead(rules, operation, holds) === null;
}

/**
 * Returns whether `.write` holds at or above each path, and every `.validate` that applies to the result
 * holds. An operation without writes is allowed. Throws `write/too-big` when the rules exceed the work
 * budget.
 */
export function isWriteAllowed(rules: RuleSet, operation: WriteOperation): boolean {
  return findDeniedWrite(rules, operation, holds) === null;
}

/** Like `isWriteAllowed`, without the `.validate` rules. The rules spend work from `work`. */
export function isWriteGranted({ root }: RuleSet, operation: WriteOperation, work: WorkBudget): boolean {
  return findNotGranted(root, writeScope(operation, holds, work)) === null;
}

/**
 * Evaluates the `.validate` rules of a write in steps, without those that grant it. Returns the first invalid path, or
 * `null`. The rules spend work from `work`; throws `write/too-big` when they exceed it.
 */
export function validationSteps(
  { root }: RuleSet,
  operation: WriteOperation,
  work: WorkBudget,
): Iterator<undefined, Path | null> {
  return invalidSteps(root, writeScope(operation, holds, work));
}

/**
 * Returns whether the writes can be granted with other values: whether a `.write` at or above each path holds, or uses
 * `newData`. Throws `write/too-big` when the rules exceed the work budget.
 */
export function canBeGranted(rules: RuleSet, operation: WriteOperation): boolean {
  const mayHold: EvaluateRule = (rule, scope) => mentionsNewData(rule.expression) || holds(rule, scope);
  return findNotGranted(rules.root, writeScope(operation, mayHold)) === null;
}

function holds(rule: Rule, scope: Scope): boolean {
  return rule.evaluate(scope) === true;
}
