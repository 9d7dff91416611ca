import type { Key } from '../tree/key.ts';
import { findBooleanParts } from './check-rule.ts';
import { compileExpression, type Observer } from './compile-expression.ts';
import { completeRuleNode } from './complete-rule-node.ts';
import type { Expression } from './expression.ts';
import type { Evaluate, Rule, RuleKind, RuleNode, RuleSet } from './rule-set.ts';
import { Fault, type RuleValue } from './rule-value.ts';
import type { Span } from './span.ts';
import { subExpressions } from './sub-expressions.ts';

/** How often a boolean sub-expression came to what. Where all are zero, it was never evaluated. */
export interface ExpressionCoverage {
  readonly span: Span;
  readonly timesTrue: number;
  readonly timesFalse: number;
  readonly timesInError: number;
}

/** What became of the parts of a rule that are true or false: the whole rule first, then outer ones before inner ones. */
export interface RuleCoverage {
  readonly kind: RuleKind;
  /** Where the rule stands, as `/rooms/$id`. */
  readonly location: string;
  readonly expressions: readonly ExpressionCoverage[];
}

/** Counts what becomes of the boolean sub-expressions of rules whenever `rules` of it are asked. */
export class Coverage {
  /** Decides as the rules it was made of. */
  readonly rules: RuleSet;
  readonly #counters: RuleCounter[] = [];

  constructor(rules: RuleSet) {
    this.rules = { source: rules.source, root: this.#cover(rules.root) };
  }

  /** All rules so far counted, from the root down, children of a location before its capture. */
  list(): readonly RuleCoverage[] {
    return this.#counters.map((counter) => counter.read());
  }

  #cover(node: RuleNode): RuleNode {
    const read = this.#coverRule(node.read);
    const write = this.#coverRule(node.write);
    const validate = this.#coverRule(node.validate);
    const children = new Map<Key, RuleNode>();
    for (const [key, child] of node.children) children.set(key, this.#cover(child));
    const capture = node.capture && { ...node.capture, node: this.#cover(node.capture.node) };
    return completeRuleNode({ indexOn: node.indexOn, read, write, validate, children, capture });
  }

  #coverRule(rule: Rule | null): Rule | null {
    if (rule === null) return null;
    const counter = new RuleCounter(rule);
    this.#counters.push(counter);
    // Of a long document, most rules are not asked soon.
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
  /** Made when the rule is first asked, or asked about. */
  #counts: ReadonlyMap<Expression, Count> | undefined;

  constructor(rule: Rule) {
    this.#rule = rule;
  }

  enter(): void {}

  leave(e: Expression, value: RuleValue): void {
    this.#counts ??= noCounts(this.#rule);
    const count = this.#counts.get(e);
    if (count === undefined) return;
    if (value === true) count.timesTrue++;
    else if (value === false) count.timesFalse++;
    else if (value instanceof Fault) count.timesInError++;
  }

  read(): RuleCoverage {
    const { kind, location } = this.#rule;
    this.#counts ??= noCounts(this.#rule);
    const expressions = [...this.#counts].map(([{ span }, count]) => ({
      span,
      ...count,
    }));
    return { kind, location: `/${location.join('/')}`, expressions };
  }
}

function noCounts(rule: Rule): ReadonlyMap<Expression, Count> {
  const counts = new Map<Expression, Count>();
  const booleans = findBooleanParts(rule);
  const collect = (e: Expression): void => {
    // A literal says by itself what it always is, unless it is the whole rule.
    const isCounted = e === rule.expression || (e.kind !== 'literal' && booleans.has(e));
    if (isCounted) counts.set(e, { timesTrue: 0, timesFalse: 0, timesInError: 0 });
    subExpressions(e).forEach(collect);
  };
  collect(rule.expression);
  return counts;
}
