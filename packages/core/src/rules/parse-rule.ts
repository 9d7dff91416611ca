import { capturesOf } from './captures-of.ts';
import { checkRule } from './check-rule.ts';
import { compileExpression } from './compile-expression.ts';
import type { Expression } from './expression.ts';
import { ExpressionSyntaxError } from './expression-syntax-error.ts';
import { parseExpression } from './parse-expression.ts';
import type { Report } from './report.ts';
import { ruleCost } from './rule-cost.ts';
import type { Rule, RuleKind } from './rule-set.ts';
import type { DocumentValue } from './rules-document.ts';

/**
 * The rule that a value of a rules document is; `null` if it is none, which is reported. `location` are the names from
 * the root to the rule, captures with their `$`.
 */
export function parseRule(
  kind: RuleKind,
  value: DocumentValue,
  location: readonly string[],
  report: Report,
): Rule | null {
  const expression = parseExpressionOf(value, report);
  if (expression === null) return null;
  const problems = checkRule(kind, expression, capturesOf(location));
  for (const { offset, message, hint } of problems) report(offset, message, hint);
  // An expression of which the types are wrong has no meaning.
  if (problems.length > 0) return null;
  return {
    kind,
    location,
    expression,
    evaluate: compileExpression(expression, location),
    cost: ruleCost(expression),
  };
}

function parseExpressionOf(value: DocumentValue, report: Report): Expression | null {
  if (value.kind === 'boolean') {
    const span = { start: value.offset, end: value.offset + String(value.value).length };
    return { kind: 'literal', span, value: value.value };
  }
  if (value.kind !== 'string') {
    report(value.offset, "Invalid rule expression.  Expected 'true', 'false', or an expression string.");
    return null;
  }
  try {
    return parseExpression(value.value, value.locate);
  } catch (cause) {
    if (!(cause instanceof ExpressionSyntaxError)) throw cause;
    report(cause.offset, cause.message);
    return null;
  }
}
