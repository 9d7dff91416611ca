import type { Expression } from './expression.ts';
import { patternSize } from './pattern-size.ts';
import type { Report } from './report.ts';
import type { RuleNode } from './rule-set.ts';
import { subExpressions } from './sub-expressions.ts';

/** Largest size of all patterns of a document together: what bounds their memory. */
const MAX_TOTAL_PATTERN_SIZE = 400_000;

/** Reports the pattern with which those of a document become too large together. */
export function checkPatternSizes(root: RuleNode, report: Report): void {
  let total = 0;
  for (const { span, pattern } of patternsBelow(root)) {
    total += patternSize(pattern.pattern);
    if (total <= MAX_TOTAL_PATTERN_SIZE) continue;
    const bound = MAX_TOTAL_PATTERN_SIZE.toLocaleString('en');
    report(
      span.start,
      `The regular expressions up to this one are longer than ${bound} characters together, with their repeats written out. Lower their numbers, or test the length instead.`,
    );
    return;
  }
}

type PatternLiteral = Extract<Expression, { readonly kind: 'regular-expression' }>;

/** From the root down, children of a location before its capture. */
function patternsBelow({ read, write, validate, children, capture }: RuleNode): readonly PatternLiteral[] {
  const here: PatternLiteral[] = [];
  for (const rule of [read, write, validate]) if (rule !== null) collectPatterns(rule.expression, here);
  const below = [...children.values(), ...(capture === null ? [] : [capture.node])];
  return [...here, ...below.flatMap(patternsBelow)];
}

function collectPatterns(e: Expression, found: PatternLiteral[]): void {
  if (e.kind === 'regular-expression') found.push(e);
  for (const part of subExpressions(e)) collectPatterns(part, found);
}
