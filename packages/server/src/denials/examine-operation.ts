import type { Rule, RuleSet } from '@hearth/core/rules/rule-set.ts';
import type { Scope } from '@hearth/core/rules/scope.ts';
import { findRefusedRead, findRefusedWrite } from '@hearth/core/rules/walk-rules.ts';
import { isAtOrAbove, type Path, pathOf } from '@hearth/core/tree/path.ts';
import type { DecidedOperation } from './asked-operation.ts';

/** A rule that was asked, and what it can be asked again with. */
export interface AskedRule {
  readonly rule: Rule;
  readonly scope: Scope;
  /** How many were asked before. */
  readonly order: number;
  readonly holds: boolean;
}

/** What came of an operation, and the rules that say why. */
export interface Examination {
  readonly isAllowed: boolean;
  /** In the order in which they were asked. */
  readonly rules: readonly AskedRule[];
  /** Those of `rules` without which the verdict would have been another, had they held. None when it is allowed. */
  readonly grounds: readonly AskedRule[];
  /** The rule that granted or that failed; the deepest that could have granted; `null` if there is none. */
  readonly deciding: AskedRule | null;
}

/** Most rules of a kind that are told beside the grounds, of which there are at most as many as a path has levels. */
const MAX_OTHERS = 8;

/**
 * Decides an operation once more and remembers who was asked. A write of very many values asks as many rules, so that all of
 * them cannot be traced; here each costs what deciding costs.
 */
export function examineOperation(rules: RuleSet, operation: DecidedOperation): Examination {
  const failed: AskedRule[] = [];
  const valid: AskedRule[] = [];
  const granting: AskedRule[] = [];
  let order = 0;
  const ask = (rule: Rule, passing: Scope): boolean => {
    const scope = { ...passing, path: pathOf([...passing.path]) };
    const asked = { rule, scope, order: order++, holds: rule.evaluate(scope) === true };
    const kin = asked.holds ? (rule.kind === 'validate' ? valid : granting) : failed;
    kin.push(asked);
    if (asked.holds && kin.length > MAX_OTHERS) kin.shift();
    return asked.holds;
  };
  const refused =
    operation.kind === 'read'
      ? findRefusedRead(rules, operation.read, ask)
      : findRefusedWrite(rules, operation.write, ask);
  const grounds = refused === null ? [] : groundsOf(refused, failed);
  const others = failed.filter((asked) => !grounds.includes(asked)).slice(-MAX_OTHERS);
  return {
    isAllowed: refused === null,
    rules: [...granting, ...valid, ...others, ...grounds].sort((a, b) => a.order - b.order),
    grounds,
    deciding: (refused === null ? granting.at(-1) : findDeepest(grounds)) ?? null,
  };
}

function findDeepest(rules: readonly AskedRule[]): AskedRule | undefined {
  return rules.toSorted((a, b) => a.rule.location.length - b.rule.location.length).at(-1);
}

/** One `.validate` that fails is reason enough; without one, no rule at or above the place granted anything. */
function groundsOf(refused: Path, failed: readonly AskedRule[]): readonly AskedRule[] {
  const last = failed.at(-1);
  if (last?.rule.kind === 'validate') return [last];
  return failed.filter((asked) => isAtOrAbove(placeOf(asked), refused));
}

/** The place that a rule was asked for. */
export function placeOf({ rule, scope }: AskedRule): Path {
  return pathOf(scope.path.slice(0, rule.location.length));
}
