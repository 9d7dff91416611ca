import type { ExpressionCoverage, RuleCoverage } from './coverage.ts';
import { LineIndex, type TextPosition } from './line-index.ts';
import type { RuleKind } from './rule-set.ts';
import type { Span } from './span.ts';

export type GapKind = 'never evaluated' | 'never true' | 'never false' | 'only in error';

/** Something that an expression never came to. */
export interface CoverageGap extends TextPosition {
  readonly rule: RuleKind;
  /** Where the rule stands, as `/rooms/$id`. */
  readonly location: string;
  /** The expression as it was written. */
  readonly text: string;
  readonly gap: GapKind;
}

export interface CoverageSummary {
  /** Boolean expressions, without `true` and `false` themselves. */
  readonly expressions: number;
  /** Those that came to both `true` and `false`. */
  readonly covered: number;
  /**
   * In the order of the document. Of what was never evaluated, the whole is there without its parts; otherwise the parts
   * are there without the whole.
   */
  readonly gaps: readonly CoverageGap[];
}

/** What is left to be tried of rules. `source` is their document. */
export function summarizeCoverage(source: string, rules: readonly RuleCoverage[]): CoverageSummary {
  const counted = rules.map((rule) => ({
    ...rule,
    expressions: rule.expressions.filter(({ span }) => !isLiteral(textOf(source, span))),
  }));
  const expressions = counted.flatMap((rule) => rule.expressions);
  const gaps = counted.flatMap((rule) =>
    findGaps(rule.expressions).map(({ span, gap }) => ({ rule, span, gap })),
  );
  gaps.sort((a, b) => a.span.start - b.span.start);
  const lines = new LineIndex(source);
  return {
    expressions: expressions.length,
    covered: expressions.filter((expression) => findGap(expression) === undefined).length,
    gaps: gaps.map(({ rule, span, gap }) => ({
      ...lines.positionOf(span.start),
      rule: rule.kind,
      location: rule.location,
      text: textOf(source, span),
      gap,
    })),
  };
}

interface Gap {
  readonly span: Span;
  readonly gap: GapKind;
}

/** Gaps of a rule that no other gap implies. */
function findGaps(expressions: readonly ExpressionCoverage[]): readonly Gap[] {
  const gaps: Gap[] = [];
  let silentUntil = 0;
  for (const expression of expressions.toSorted(compareSpans)) {
    const { span } = expression;
    const gap = findGap(expression);
    if (gap === undefined || span.start < silentUntil) continue;
    gaps.push({ span, gap });
    if (gap === 'never evaluated') silentUntil = span.end;
  }
  // What a whole never came to is because of what a part never came to; the first part follows it.
  return gaps.filter(({ span }, index) => !isWithin(gaps[index + 1]?.span, span));
}

/** Outer expressions come right before those inside them. */
function compareSpans(a: ExpressionCoverage, b: ExpressionCoverage): number {
  return a.span.start - b.span.start || b.span.end - a.span.end;
}

function isWithin(inner: Span | undefined, outer: Span): boolean {
  return inner !== undefined && inner.end <= outer.end;
}

function textOf(source: string, { start, end }: Span): string {
  return source.slice(start, end);
}

function isLiteral(text: string): boolean {
  return text === 'true' || text === 'false';
}

function findGap({ timesTrue, timesFalse, timesInError }: ExpressionCoverage): GapKind | undefined {
  if (timesTrue > 0 && timesFalse > 0) return undefined;
  if (timesTrue > 0) return 'never false';
  if (timesFalse > 0) return 'never true';
  return timesInError > 0 ? 'only in error' : 'never evaluated';
}
