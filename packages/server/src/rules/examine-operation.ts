import { findDeniedRead, findDeniedWrite } from '@hearth/core/rules/evaluate/decide.ts';
import type { Rule, RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { Scope } from '@hearth/core/rules/evaluate/scope.ts';
import { isAtOrAbove, type Path, pathOf } from '@hearth/core/tree/path.ts';
import type { DecidedOperation } from '../access/authorization-request.ts';

/** A rule that was evaluated. Its scope allows evaluating the rule again. */
export interface EvaluatedRule {
  readonly rule: Rule;
  readonly scope: Scope;
  /** Number of rules that were evaluated before this one. */
  readonly order: number;
  readonly holds: boolean;
}

/** The decision on an operation, and the rules that explain it. */
export interface Examination {
  readonly isAllowed: boolean;
  /** In the order in which they were evaluated. */
  readonly rules: readonly EvaluatedRule[];
  /** The rules in `rules` that caused the denial because they did not hold. Empty if the operation is allowed. */
  readonly grounds: readonly EvaluatedRule[];
  /**
   * The rule that granted the operation. If it was denied, the deepest of `grounds`. `null` if there is no such
   * rule.
   */
  readonly deciding: EvaluatedRule | null;
}

/**
 * Maximum number of granting rules, of passed `.validate` rules and of other failed rules that are reported in
 * addition to `grounds`. There are at most as many grounds as a path has levels.
 */
const MAX_OTHERS = 8;

/**
 * Decides an operation again and records which rules were evaluated. A write of very many values evaluates equally
 * many rules, too many to trace them all. This function traces none, so each rule costs no more than in the original
 * decision.
 */
export function examineOperation(rules: RuleSet, operation: DecidedOperation): Examination {
  const failed: EvaluatedRule[] = [];
  const valid: EvaluatedRule[] = [];
  const granting: EvaluatedRule[] = [];
  let order = 0;
  const evaluate = (rule: Rule, currentScope: Scope): boolean => {
    const scope = { ...currentScope, path: pathOf([...currentScope.path]) };
    const evaluated = { rule, scope, order: order++, holds: rule.evaluate(scope) === true };
    const group = evaluated.holds ? (rule.kind === 'validate' ? valid : granting) : failed;
    group.push(evaluated);
    if (evaluated.holds && group.length > MAX_OTHERS) group.shift();
    return evaluated.holds;
  };
  const denied =
    operation.kind === 'read'
      ? findDeniedRead(rules, operation.read, evaluate)
      : findDeniedWrite(rules, operation.write, evaluate);
  const grounds = denied === null ? [] : failedRules(denied, failed);
  const others = failed.filter((evaluated) => !grounds.includes(evaluated)).slice(-MAX_OTHERS);
  return {
    isAllowed: denied === null,
    rules: [...granting, ...valid, ...others, ...grounds].sort((a, b) => a.order - b.order),
    grounds,
    deciding: (denied === null ? granting.at(-1) : findDeepest(grounds)) ?? null,
  };
}

function findDeepest(rules: readonly EvaluatedRule[]): EvaluatedRule | undefined {
  return rules.toSorted((a, b) => a.rule.location.length - b.rule.location.length).at(-1);
}

/**
 * Returns the rules that caused the denial: a single `.validate` that failed, or otherwise all rules at or
 * above the path, none of which granted the operation.
 */
function failedRules(denied: Path, failed: readonly EvaluatedRule[]): readonly EvaluatedRule[] {
  const last = failed.at(-1);
  if (last?.rule.kind === 'validate') return [last];
  return failed.filter((evaluated) => isAtOrAbove(locationOf(evaluated), denied));
}

/** Returns the path for which a rule was evaluated. */
export function locationOf({ rule, scope }: EvaluatedRule): Path {
  return pathOf(scope.path.slice(0, rule.location.length));
}
