import type { Key } from '../../tree/key.ts';
import type { TreeNode } from '../../tree/node.ts';
import { type Path, pathOf, ROOT } from '../../tree/path.ts';
import { type Expression, subExpressions } from '../syntax/expression.ts';
import type { ProposedWrite, ReadOperation, WriteOperation } from './operation.ts';
import { findChildRule, type Rule, type RuleNode, type RuleSet } from './rule-set.ts';
import { NO_QUERY, type Scope } from './scope.ts';
import { proposedView } from './views.ts';
import { tooMuchWorkError, WorkBudget } from './work-budget.ts';

/** Does the rule hold in this scope? The scope changes between two rules. */
export type EvaluateRule = (rule: Rule, scope: Scope) => boolean;

/**
 * Asks what has to be asked to decide a read, from the root down, until a rule grants it. Returns the place that was
 * refused, or `null`.
 */
export function findDeniedRead(rules: RuleSet, operation: ReadOperation, ask: EvaluateRule): Path | null {
  const { auth, now, tree, path, query } = operation;
  const work = new WorkBudget();
  const scope: Scope = { auth, now, before: tree, after: tree, query, path, work };
  let node: RuleNode | undefined = rules.root;
  for (let depth = 0; node !== undefined; depth++) {
    if (node.read !== null && ask(node.read, scope)) return null;
    const key = path[depth];
    if (key === undefined) break;
    node = findChildRule(node, key);
  }
  return path;
}

/**
 * Asks what has to be asked to decide a write: first for every place whether it is granted, then whether everything that
 * comes to be is valid; until something is refused. Returns the place of that, or `null`. No rule is asked twice for
 * the same place as long as a place follows those it shares most keys with. Refuses with `write/too-big` when the work that
 * the rules of one operation may cost is spent.
 */
export function findDeniedWrite(rules: RuleSet, operation: WriteOperation, ask: EvaluateRule): Path | null {
  const { root } = rules;
  const scope = writeScope(operation);
  const denied = findNotGranted(root, operation.writes, scope, ask);
  if (denied !== null || !root.hasValidate) return denied;
  return findInvalid(root, operation.writes, scope, ask);
}

/** The locations of the rules from the root down to a place, as far as there are any. */
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

/** The scope of a write, which moves from place to place. */
interface WriteScope extends Scope {
  path: Path;
  written: TreeNode | null | undefined;
  /** The write whose place it has moved to, and the locations of the rules from the root down to there. */
  write: ProposedWrite | undefined;
  rules: readonly RuleNode[];
  readonly work: WorkBudget;
}

const NO_RULES: readonly RuleNode[] = [];

function writeScope({ auth, now, tree, writes }: WriteOperation): WriteScope {
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
    work: new WorkBudget(),
  };
}

/** Asks a rule of a write, which may cost what is left of the work. */
function evaluateWithin(rule: Rule, scope: WriteScope, ask: EvaluateRule): boolean {
  if (!scope.work.spend(rule.cost)) throw tooMuchWorkError();
  const holds = ask(rule, scope);
  if (scope.work.left < 0) throw tooMuchWorkError();
  return holds;
}

function moveTo(scope: WriteScope, write: ProposedWrite, root: RuleNode): void {
  if (write !== scope.write) scope.rules = findRulesAlongPath(root, write.path);
  scope.write = write;
  scope.path = write.path;
  scope.written = write.kind === 'node' ? write.node : undefined;
}

function findNotGranted(
  root: RuleNode,
  writes: readonly ProposedWrite[],
  scope: WriteScope,
  ask: EvaluateRule,
): Path | null {
  let previous: Path | null = null;
  let grantedAt = 0;
  for (const write of writes) {
    const { path } = write;
    // What the place before this one shares with it was asked already.
    const from = firstNotShared(previous, path);
    previous = path;
    if (grantedAt < from) continue;
    moveTo(scope, write, root);
    const depth = findGrant(scope, from, ask);
    if (depth === undefined) return path;
    grantedAt = depth;
  }
  return null;
}

/** The depth of the first `.write` on the way to the place that holds, of those at depth `from` and deeper. */
function findGrant(scope: WriteScope, from: number, ask: EvaluateRule): number | undefined {
  const { rules } = scope;
  for (let depth = from; depth < rules.length; depth++) {
    const rule = rules[depth]?.write ?? null;
    if (rule !== null && evaluateWithin(rule, scope, ask)) return depth;
  }
  return undefined;
}

function findInvalid(
  root: RuleNode,
  writes: readonly ProposedWrite[],
  scope: WriteScope,
  ask: EvaluateRule,
): Path | null {
  let previous: Path | null = null;
  for (const write of writes) {
    const from = firstNotShared(previous, write.path);
    previous = write.path;
    moveTo(scope, write, root);
    const invalid = findInvalidAlongPath(write, scope, from, ask) ?? findInvalidBelow(write, scope, ask);
    if (invalid !== null) return invalid;
  }
  return null;
}

/** The first invalid one of the places on the way to what is written, from depth `from` on. */
function findInvalidAlongPath(
  write: ProposedWrite,
  scope: WriteScope,
  from: number,
  ask: EvaluateRule,
): Path | null {
  const { rules } = scope;
  const isFilling = write.kind === 'node' && write.node !== null;
  for (let depth = from; depth < rules.length; depth++) {
    const rule = rules[depth]?.validate ?? null;
    if (rule === null) continue;
    // What is removed, or never was, need not be valid.
    const exists = isFilling || scope.after.findValue(pathOf(write.path.slice(0, depth))) !== null;
    if (exists && !evaluateWithin(rule, scope, ask)) return pathOf(write.path.slice(0, depth));
  }
  return null;
}

function findInvalidBelow(write: ProposedWrite, scope: WriteScope, ask: EvaluateRule): Path | null {
  const here = scope.rules[write.path.length];
  if (!here?.hasValidate || write.kind !== 'node' || write.node?.kind !== 'inner') return null;
  return findInvalidInside(here, write.node, scope, write.path.slice(), ask);
}

/** The first invalid place below `keys`, where `written` is written, going down only where a rule may be. */
function findInvalidInside(
  rules: RuleNode,
  written: TreeNode | null,
  scope: WriteScope,
  keys: Key[],
  ask: EvaluateRule,
): Path | null {
  if (written?.kind !== 'inner') return null;
  const depth = keys.length;
  const { children } = written;
  // The shorter list is gone through, so that neither many rules nor many values cost what they need not.
  if (!rules.wildcard?.node.hasValidate && rules.validated.length <= children.size) {
    for (const { key, node } of rules.validated) {
      const child = children.get(key);
      keys[depth] = key;
      const invalid = child === undefined ? null : findInvalidChild(node, child, scope, keys, ask);
      if (invalid !== null) return invalid;
    }
  } else {
    for (const [key, child] of children) {
      const node = findChildRule(rules, key);
      keys[depth] = key;
      const invalid = node?.hasValidate ? findInvalidChild(node, child, scope, keys, ask) : null;
      if (invalid !== null) return invalid;
    }
  }
  keys.length = depth;
  return null;
}

/** The first invalid place at or below `keys`, where `child` is written. */
function findInvalidChild(
  node: RuleNode,
  child: TreeNode,
  scope: WriteScope,
  keys: Key[],
  ask: EvaluateRule,
): Path | null {
  if (node.validate !== null) {
    scope.path = pathOf(keys);
    scope.written = child;
    if (!evaluateWithin(node.validate, scope, ask)) return pathOf([...keys]);
  }
  return child.kind === 'leaf' ? null : findInvalidInside(node, child, scope, keys, ask);
}

/** The depth of the first place on the way to `path` that is not on the way to the one before. */
function firstNotShared(previous: Path | null, path: Path): number {
  if (previous === null) return 0;
  let depth = 0;
  while (depth < path.length && path[depth] === previous[depth]) depth++;
  return depth + 1;
}

/** Does an expression ask for what would be there after the write? */
export function mentionsNewData(e: Expression): boolean {
  return e.kind === 'variable' ? e.name === 'newData' : subExpressions(e).some(mentionsNewData);
}

/**
 * Is a write refused for what it would write, so that writing something else might be allowed? It is if it was granted and then
 * is not valid, or if a rule that might have granted it looked at `newData`.
 */
export function isDeniedForWritten(rules: RuleSet, operation: WriteOperation): boolean {
  let last: Rule | undefined;
  let hasReadData = false;
  const denied = findDeniedWrite(rules, operation, (rule, scope) => {
    last = rule;
    const holds = rule.evaluate(scope) === true;
    hasReadData ||= !holds && mentionsNewData(rule.expression);
    return holds;
  });
  return denied !== null && (last?.kind === 'validate' || hasReadData);
}

/** Does `.read` hold at the place or above it? */
export function isReadAllowed(rules: RuleSet, operation: ReadOperation): boolean {
  return findDeniedRead(rules, operation, holds) === null;
}

/**
 * Does `.write` hold at or above each place, and every `.validate` of what comes to be above it and of what is written?
 * Without any write the answer is yes. Refuses with `write/too-big` a write whose rules take too long.
 */
export function isWriteAllowed(rules: RuleSet, operation: WriteOperation): boolean {
  return findDeniedWrite(rules, operation, holds) === null;
}

function holds(rule: Rule, scope: Scope): boolean {
  return rule.evaluate(scope) === true;
}
