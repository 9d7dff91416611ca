import type { NoProposalReason } from '@hearth/core/api/rule-proposal.ts';
import { readRules } from '@hearth/core/rules/compile/rules.ts';
import {
  type EvaluateRule,
  findDeniedRead,
  findDeniedWrite,
  mentionsNewData,
} from '@hearth/core/rules/evaluate/decide.ts';
import {
  findRuleNode,
  type Rule,
  type RuleKind,
  type RuleNode,
  type RuleSet,
} from '@hearth/core/rules/evaluate/rule-set.ts';
import type { RuleTree } from '@hearth/core/rules/evaluate/values.ts';
import { proposedView } from '@hearth/core/rules/evaluate/views.ts';
import { extendRule, type RuleEdit } from '@hearth/core/rules/syntax/edit.ts';
import { OBJECT } from '@hearth/core/tree/order.ts';
import { type Path, pathOf } from '@hearth/core/tree/path.ts';
import type { DecidedOperation } from '../../access/authorization-request.ts';
import { printPath } from '../denials/recording-tree.ts';
import { type DeniedPath, findConditions } from './conditions.ts';
import { isGenerated, locationOfPath } from './location.ts';
import { decidesOnUsers } from './privileges.ts';

/** A change of one rule. */
export interface ProposedChange {
  readonly kind: RuleKind;
  readonly location: string;
  /** The condition that is added. */
  readonly condition: string;
}

export type DraftedProposal =
  | { readonly kind: 'none'; readonly reason: NoProposalReason }
  | { readonly kind: 'draft'; readonly rules: RuleSet; readonly changes: readonly ProposedChange[] };

/** A denied operation of a signed-in user. */
export interface DeniedOperation {
  readonly operation: DecidedOperation;
  readonly uid: string;
  /** The data before the operation. */
  readonly tree: RuleTree;
  /** Whether the written values are known. If not, the operation has others, and `.validate` rules are not decided. */
  readonly isValueKnown: boolean;
}

/** Maximum number of changes in one proposal, and of paths that are examined for it. */
const MAX_CHANGES = 8;

/** Maximum number of conditions that are tried for one path. */
const MAX_CONDITIONS = 5;

/** The search for a proposal. It pauses before each parsing of rules. */
type ProposalSteps<T> = Generator<undefined, T>;

/**
 * Proposes changes of rules that allow a denied operation, or says why there are none. Each change is checked by deciding
 * the operation again. `open` returns the operation in the transaction in which the steps continue.
 */
export function* proposeRules(rules: RuleSet, open: () => DeniedOperation): ProposalSteps<DraftedProposal> {
  const changes: ProposedChange[] = [];
  let current = rules;
  for (;;) {
    const rejection = findRejection(current, open());
    if (rejection === undefined)
      return changes.length === 0
        ? { kind: 'none', reason: 'allowed' }
        : { kind: 'draft', rules: current, changes };
    const next = changes.length < MAX_CHANGES ? yield* changeRules(current, open, rejection) : 'unlinked';
    if (typeof next === 'string') return { kind: 'none', reason: next };
    current = next.rules;
    changes.push(next.change);
  }
}

/** The path at which an operation is denied, and the `.validate` that rejects it. */
interface PathRejection {
  readonly path: Path;
  readonly invalidBy: Rule | null;
}

function findRejection(
  rules: RuleSet,
  { operation, isValueKnown }: DeniedOperation,
): PathRejection | undefined {
  let last: Rule | undefined;
  const evaluate: EvaluateRule = (rule, scope) => {
    last = rule;
    if (!isValueKnown && rule.kind === 'validate') return true;
    if (!isValueKnown && mentionsNewData(rule.expression)) return false;
    return rule.evaluate(scope) === true;
  };
  const path =
    operation.kind === 'read'
      ? findDeniedRead(rules, operation.read, evaluate)
      : findDeniedWrite(rules, operation.write, evaluate);
  if (path === null) return undefined;
  return { path: pathOf([...path]), invalidBy: last?.kind === 'validate' ? last : null };
}

interface ChangedRules {
  readonly rules: RuleSet;
  readonly change: ProposedChange;
}

/** Returns rules that no longer deny this path, or the reason why there are none. */
function* changeRules(
  rules: RuleSet,
  open: () => DeniedOperation,
  { path, invalidBy }: PathRejection,
): ProposalSteps<ChangedRules | NoProposalReason> {
  const denied = open();
  const { operation, uid, isValueKnown } = denied;
  if (operation.kind === 'write' && decidesOnUsers(rules, path, uid)) return 'privilege';
  if (invalidBy !== null) {
    const edit = findNewField(rules, denied, path, invalidBy);
    return (edit && (yield* tryEdit(rules, open, path, edit))) ?? 'invalid';
  }
  const location = locationOfPath(rules, path, uid);
  const { kind } = operation;
  for (const expression of findConditions(deniedPathOf(denied, path, location)).slice(0, MAX_CONDITIONS)) {
    const changed = yield* tryEdit(rules, open, path, { kind, location, expression });
    if (changed !== undefined) return changed;
  }
  if (kind === 'read' && isAllowedInParts(rules, path)) return 'list';
  return kind === 'write' && !isValueKnown ? 'value-unknown' : 'unlinked';
}

function deniedPathOf(
  { operation, uid, tree, isValueKnown }: DeniedOperation,
  path: Path,
  location: readonly string[],
): DeniedPath {
  const action: DeniedPath['action'] =
    operation.kind === 'read'
      ? { kind: 'read', query: operation.read.query }
      : { kind: 'write', after: isValueKnown ? proposedView(tree, operation.write.writes) : null };
  return { path, uid, location, before: tree, action };
}

/** Returns the rules with an edit; `undefined` if they are not valid or still deny the path. */
function* tryEdit(
  rules: RuleSet,
  open: () => DeniedOperation,
  path: Path,
  edit: RuleEdit,
): ProposalSteps<ChangedRules | undefined> {
  yield;
  const changed = parseExtended(rules.source, edit);
  if (changed === undefined) return undefined;
  const rejection = findRejection(changed, open());
  // A write that is granted may still be invalid at the same path. That is the next thing to change.
  const isStillDenied = edit.kind === 'validate' || rejection?.invalidBy === null;
  if (rejection !== undefined && printPath(rejection.path) === printPath(path) && isStillDenied)
    return undefined;
  const { kind, location, expression } = edit;
  return { rules: changed, change: { kind, location: printPath(location), condition: expression } };
}

/**
 * Returns the extended rules; `undefined` if they are not valid, because the name of a wildcard cannot be used in an
 * expression, a rule ends in a comment, or the document would be too long.
 */
function parseExtended(source: string, edit: RuleEdit): RuleSet | undefined {
  const read = readRules(extendRule(source, edit));
  return read.kind === 'rules' ? read.rules : undefined;
}

/**
 * Returns a `.validate` for a new field, if it was rejected because the rules list the fields of a record and reject all
 * others with a wildcard.
 */
function findNewField(
  rules: RuleSet,
  { operation, tree }: DeniedOperation,
  path: Path,
  invalidBy: Rule,
): RuleEdit | undefined {
  const { location, expression } = invalidBy;
  const key = path.at(-1);
  const isCatchAll = location.length === path.length && location.at(-1)?.startsWith('$') === true;
  if (!isCatchAll || key === undefined || isGenerated(key) || operation.kind !== 'write') return undefined;
  if (expression.kind !== 'literal' || expression.value !== false) return undefined;
  // The rules of the wildcard no longer apply to a field that has a location of its own.
  const wildcard = findRuleNode(rules, path);
  if (wildcard === undefined || wildcard.read !== null || wildcard.write !== null) return undefined;
  if (wildcard.children.size > 0 || wildcard.wildcard !== null) return undefined;
  const type = typeOf(proposedView(tree, operation.write.writes).findValue(path));
  if (type === undefined) return undefined;
  return {
    kind: 'validate',
    location: [...location.slice(0, -1), key],
    expression: `newData.${type}()`,
  };
}

function typeOf(value: unknown): 'isString' | 'isNumber' | 'isBoolean' | undefined {
  if (value === OBJECT) return undefined;
  if (typeof value === 'string') return 'isString';
  if (typeof value === 'number' || typeof value === 'bigint') return 'isNumber';
  return typeof value === 'boolean' ? 'isBoolean' : undefined;
}

/** Returns whether a rule below a path can allow reading a part of it. */
function isAllowedInParts(rules: RuleSet, path: Path): boolean {
  const node = findRuleNode(rules, path);
  return node !== undefined && childrenOf(node).some(hasRead);
}

function hasRead(node: RuleNode): boolean {
  return node.read !== null || childrenOf(node).some(hasRead);
}

function childrenOf({ children, wildcard }: RuleNode): readonly RuleNode[] {
  return [...children.values(), ...(wildcard === null ? [] : [wildcard.node])];
}
