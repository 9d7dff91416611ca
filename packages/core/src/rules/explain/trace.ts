import { OBJECT } from '../../tree/order.ts';
import { formatPath } from '../../tree/path.ts';
import { compileExpression, type Observer } from '../compile/compiler.ts';
import type { Evaluate, Rule, RuleKind } from '../evaluate/rule-set.ts';
import type { Scope } from '../evaluate/scope.ts';
import { Fault, RuleSnapshot, type RuleValue } from '../evaluate/values.ts';
import type { Expression } from '../syntax/expression.ts';
import type { Span } from '../syntax/problems.ts';

/**
 * A value as traces show it: JSON, or what has no JSON. `snapshot` is a place of `before` or `after`; `path` `null` is one
 * that cannot exist.
 */
export type TraceValue =
  | { readonly kind: 'scalar'; readonly value: boolean | number | string | null }
  /** A number that JSON has no text for: `NaN`, `Infinity` or `-Infinity`. */
  | { readonly kind: 'not-finite'; readonly text: string }
  /** An inner node of the database. */
  | { readonly kind: 'object' }
  /** `auth`, a part of it, or `query`: the object itself, which many steps share. */
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'snapshot'; readonly tree: 'before' | 'after'; readonly path: string | null }
  | { readonly kind: 'error'; readonly message: string };

/** What one sub-expression came to, and what was evaluated for it, in order. What was not needed is not there, nor are literals. */
export interface TraceStep {
  readonly span: Span;
  readonly value: TraceValue;
  readonly steps: readonly TraceStep[];
}

/** One rule that was asked. */
export interface RuleTrace {
  readonly kind: RuleKind;
  /** Where the rule stands, as `/rooms/$id`. */
  readonly location: string;
  /** The path for which it was evaluated, for example `/rooms/r1`. */
  readonly place: string;
  readonly holds: boolean;
  readonly step: TraceStep;
}

/**
 * Why an operation was allowed or not. Its values are whole and shared by the steps that came to them; as JSON each would
 * be there as often as it was looked at. So whoever sends or keeps an explanation cuts the long ones.
 */
export interface Explanation {
  readonly isAllowed: boolean;
  /** The place that nothing grants or that would not be valid, as `/rooms/r1`; `null` if the operation is allowed. */
  readonly refused: string | null;
  /** In the order in which they were asked: the first thousand, fewer if they are very long, and the deciding one. */
  readonly rules: readonly RuleTrace[];
  /**
   * The rule that decided: the last one that granted; or the `.validate` that does not hold; or, where nothing grants,
   * the deepest rule that was asked for the refused place. `null` if there was none to ask.
   */
  readonly deciding: RuleTrace | null;
}

/** Asks a rule and keeps what every sub-expression came to. `evaluatedPath` is the place it is asked for, as `/rooms/r1`. */
export function traceRule(rule: Rule, scope: Scope, evaluatedPath: string): RuleTrace {
  const { kind, location } = rule;
  const recorder = new StepRecorder(scope);
  const value = observe(rule).evaluate(scope, recorder);
  return {
    kind,
    location: `/${location.join('/')}`,
    place: evaluatedPath,
    holds: value === true,
    step: recorder.getStep(),
  };
}

const OBSERVED = new WeakMap<Rule, ObservedRule>();

function observe(rule: Rule): ObservedRule {
  const known = OBSERVED.get(rule) ?? new ObservedRule(rule);
  OBSERVED.set(rule, known);
  return known;
}

/** A rule that tells of its sub-expressions. It is compiled once: a write of many values asks the same rule for each. */
class ObservedRule implements Observer {
  readonly #evaluate: Evaluate;
  #recorder: StepRecorder | null = null;

  constructor({ expression, location }: Rule) {
    this.#evaluate = compileExpression(expression, location, this);
  }

  evaluate(scope: Scope, recorder: StepRecorder): RuleValue {
    this.#recorder = recorder;
    const value = this.#evaluate(scope);
    this.#recorder = null;
    return value;
  }

  enter(): void {
    this.#recorder?.enter();
  }

  leave(e: Expression, value: RuleValue): void {
    this.#recorder?.leave(e, value);
  }
}

/** Makes a tree of what is entered and left. */
class StepRecorder {
  readonly #scope: Scope;
  /** The steps below each expression that is entered and not left, outside of them the one of the rule. */
  readonly #open: TraceStep[][] = [[]];

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  enter(): void {
    this.#open.push([]);
  }

  leave({ span }: Expression, value: RuleValue): void {
    const steps = this.#open.pop() ?? [];
    this.#open.at(-1)?.push({ span, value: traceValueOf(value, this.#scope), steps });
  }

  /** What the whole came to. Throws before it is left. */
  getStep(): TraceStep {
    const step = this.#open[0]?.[0];
    if (step === undefined) throw new Error('nothing was evaluated');
    return step;
  }
}

function traceValueOf(value: RuleValue, scope: Scope): TraceValue {
  if (value instanceof Fault) return { kind: 'error', message: value.message };
  if (value === OBJECT) return { kind: 'object' };
  if (typeof value === 'number' && !Number.isFinite(value))
    return { kind: 'not-finite', text: String(value) };
  if (typeof value !== 'object' || value === null) return { kind: 'scalar', value };
  if (!(value instanceof RuleSnapshot)) return { kind: 'json', value };
  const path = value.path === null ? null : `/${formatPath(value.path)}`;
  return { kind: 'snapshot', tree: value.view === scope.before ? 'before' : 'after', path };
}
