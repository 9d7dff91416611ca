import { compileExpression } from '@hearth/core/rules/compile-expression.ts';
import type { Expression } from '@hearth/core/rules/expression.ts';
import { parsePrintedExpression } from '@hearth/core/rules/parse-expression.ts';
import { printExpression } from '@hearth/core/rules/print-expression.ts';
import { ruleCost } from '@hearth/core/rules/rule-cost.ts';
import type { Rule, RuleKind } from '@hearth/core/rules/rule-set.ts';

/** A rule that stands for itself: the spans of its expression are places in `text`, not in a document. */
export interface PrintedRule {
  readonly text: string;
  readonly rule: Rule;
}

const KNOWN = new WeakMap<Rule, PrintedRule>();

/** A rule without its document; the same object each time. */
export function printRule(rule: Rule): PrintedRule {
  const known = KNOWN.get(rule);
  if (known !== undefined) return known;
  const printed = parsePrintedRule(rule.kind, rule.location, printExpression(rule.expression));
  KNOWN.set(rule, printed);
  return printed;
}

/** Reads a rule that was printed. */
export function parsePrintedRule(kind: RuleKind, location: readonly string[], text: string): PrintedRule {
  const expression = parsePrintedExpression(text);
  return { text, rule: ruleOf(kind, location, expression) };
}

export function ruleOf(kind: RuleKind, location: readonly string[], expression: Expression): Rule {
  return {
    kind,
    location,
    expression,
    evaluate: compileExpression(expression, location),
    cost: ruleCost(expression),
  };
}
