import type { Key } from '../../tree/key.ts';
import { findBooleanParts } from '../check/rule.ts';
import { compileExpression, type Observer } from '../compile/compiler.ts';
import {
  completeRuleNode,
  type Evaluate,
  type Rule,
  type RuleKind,
  type RuleNode,
  type RuleSet,
} from '../evaluate/rule-set.ts';
import { Fault, type RuleValue } from '../evaluate/values.ts';
import { type Expression, subExpressions } from '../syntax/expression.ts';
import { LineIndex, type Span, type TextPosition } from '../syntax/problems.ts';

/**
 * The counted results of a boolean sub-expression. When all counts are zero, the expression was never
 * evaluated.
 */
export interface ExpressionCoverage {
  readonly span: Span;
  readonly timesTrue: number;
  readonly timesFalse: number;
  readonly timesInError: number;
}

/**
 * The results of the boolean sub-expressions of a rule. The whole rule comes first, and an outer expression comes
 * before the expressions inside it.
 */
export interface RuleCoverage {
  readonly kind: RuleKind;
  /** The location of the rule, for example `/rooms/$id`. */
  readonly location: string;
  readonly expressions: readonly ExpressionCoverage[];
}

/**
 * Counts the results of the boolean sub-expressions of rules. Every evaluation of a rule in `rules` counts.
 */
export class Coverage {
  /** Rules that make the same decisions as the rules passed to the constructor. */
  readonly rules: RuleSet;
  readonly #counters: RuleCounter[] = [];

  constructor(rules: RuleSet) {
    this.rules = { source: rules.source, root: this.#instrument(rules.root) };
  }

  /**
   * Returns the counts so far of all rules, from the root down. The children of a location come before its
   * wildcard.
   */
  list(): readonly RuleCoverage[] {
    return this.#counters.map((counter) => counter.read());
  }

  #instrument(node: RuleNode): RuleNode {
    const read = this.#instrumentRule(node.read);
    const write = this.#instrumentRule(node.write);
    const validate = this.#instrumentRule(node.validate);
    const children = new Map<Key, RuleNode>();
    for (const [key, child] of node.children) children.set(key, this.#instrument(child));
    const wildcard = node.wildcard && { ...node.wildcard, node: this.#instrument(node.wildcard.node) };
    return completeRuleNode({ indexOn: node.indexOn, read, write, validate, children, wildcard });
  }

  #instrumentRule(rule: Rule | null): Rule | null {
    if (rule === null) return null;
    const counter = new RuleCounter(rule);
    this.#counters.push(counter);
    // Compiles the rule on first use: in a long document, most rules are not evaluated soon.
    let evaluate: Evaluate | undefined;
    return {
      ...rule,
      evaluate: (scope) => {
        evaluate ??= compileExpression(rule.expression, rule.location, counter);
        return evaluate(scope);
      },
    };
  }
}

interface Count {
  timesTrue: number;
  timesFalse: number;
  timesInError: number;
}

class RuleCounter implements Observer {
  readonly #rule: Rule;
  /** Created when the rule is first evaluated or its counts are first read. */
  #counts: ReadonlyMap<Expression, Count> | undefined;

  constructor(rule: Rule) {
    this.#rule = rule;
  }

  enter(): void {}

  leave(e: Expression, value: RuleValue): void {
    this.#counts ??= zeroCounts(this.#rule);
    const count = this.#counts.get(e);
    if (count === undefined) return;
    if (value === true) count.timesTrue++;
    else if (value === false) count.timesFalse++;
    else if (value instanceof Fault) count.timesInError++;
  }

  read(): RuleCoverage {
    const { kind, location } = this.#rule;
    this.#counts ??= zeroCounts(this.#rule);
    const expressions = [...this.#counts].map(([{ span }, count]) => ({
      span,
      ...count,
    }));
    return { kind, location: `/${location.join('/')}`, expressions };
  }
}

function zeroCounts(rule: Rule): ReadonlyMap<Expression, Count> {
  const counts = new Map<Expression, Count>();
  const booleans = findBooleanParts(rule);
  const collect = (e: Expression): void => {
    // A literal has a constant value, so it counts only when it is the whole rule.
    const isCounted = e === rule.expression || (e.kind !== 'literal' && booleans.has(e));
    if (isCounted) counts.set(e, { timesTrue: 0, timesFalse: 0, timesInError: 0 });
    subExpressions(e).forEach(collect);
  };
  collect(rule.expression);
  return counts;
}

export type GapKind = 'never evaluated' | 'never true' | 'never false' | 'only in error';

/** A result that an expression never had. */
export interface CoverageGap extends TextPosition {
  readonly rule: RuleKind;
  /** The location of the rule, for example `/rooms/$id`. */
  readonly location: string;
  /** The source text of the expression. */
  readonly text: string;
  readonly gap: GapKind;
}

export interface CoverageSummary {
  /** Number of boolean expressions, without the literals `true` and `false`. */
  readonly expressions: number;
  /** Number of expressions that were both `true` and `false`. */
  readonly covered: number;
  /**
   * Gaps in document order. An expression that was never evaluated is listed without its parts. Any other
   * expression is listed only if none of its parts is.
   */
  readonly gaps: readonly CoverageGap[];
}

/** Returns the coverage of rules as numbers and gaps. `source` is the rules document. */
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

/** Returns the gaps of a rule that no other gap implies. */
function findGaps(expressions: readonly ExpressionCoverage[]): readonly Gap[] {
  const gaps: Gap[] = [];
  let unevaluatedUntil = 0;
  for (const expression of expressions.toSorted(compareSpans)) {
    const { span } = expression;
    const gap = findGap(expression);
    if (gap === undefined || span.start < unevaluatedUntil) continue;
    gaps.push({ span, gap });
    if (gap === 'never evaluated') unevaluatedUntil = span.end;
  }
  // A gap in a part explains the gap in the whole. The first such part comes directly after the whole.
  return gaps.filter(({ span }, index) => !isWithin(gaps[index + 1]?.span, span));
}

/** Compares expressions so that an outer expression comes before the expressions inside it. */
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
