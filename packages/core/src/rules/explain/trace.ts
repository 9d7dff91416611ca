import { OBJECT } from '../../tree/order.ts';
import { formatPath } from '../../tree/path.ts';
import { compileExpression, type Observer } from '../compile/compiler.ts';
import type { Evaluate, Rule, RuleKind } from '../evaluate/rule-set.ts';
import type { Scope } from '../evaluate/scope.ts';
import { Fault, RuleSnapshot, type RuleValue } from '../evaluate/values.ts';
import type { Expression } from '../syntax/expression.ts';
import type { Span } from '../syntax/problems.ts';

/**
 * A value as traces show it: JSON, or a separate kind for a value that has no JSON form. A `snapshot` is a
 * path in the tree `before` or `after`. Its `path` is `null` when the path cannot exist.
 */
export type TraceValue =
  | { readonly kind: 'scalar'; readonly value: boolean | number | string | null }
  /** A number that JSON cannot represent: `NaN`, `Infinity` or `-Infinity`. */
  | { readonly kind: 'not-finite'; readonly text: string }
  /** An inner node of the database. */
  | { readonly kind: 'object' }
  /** `auth`, a value inside `auth`, or `query`. This is the object itself, which many steps share. */
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'snapshot'; readonly tree: 'before' | 'after'; readonly path: string | null }
  | { readonly kind: 'error'; readonly message: string };

/**
 * The value of one sub-expression, and the steps evaluated for it, in order. Literals inside the rule, and expressions
 * that were not evaluated, are not listed.
 */
export interface TraceStep {
  readonly span: Span;
  readonly value: TraceValue;
  readonly steps: readonly TraceStep[];
}

/** One rule that was evaluated. */
export interface RuleTrace {
  readonly kind: RuleKind;
  /** The location of the rule, for example `/rooms/$id`. */
  readonly location: string;
  /** The path for which the rule was evaluated, for example `/rooms/r1`. */
  readonly place: string;
  readonly holds: boolean;
  readonly step: TraceStep;
}

/**
 * Why an operation was allowed or denied. The values are complete, and many steps share the same object. In
 * JSON, an object appears once for each step that read it. Code that sends or stores an explanation must
 * therefore truncate long values.
 */
export interface Explanation {
  readonly isAllowed: boolean;
  /**
   * The path that no rule grants or that would be invalid, for example `/rooms/r1`. `null` if the operation
   * is allowed.
   */
  readonly deniedPath: string | null;
  /**
   * Rules in the order of evaluation: the first thousand, or fewer if they are very long, and the deciding
   * rule.
   */
  readonly rules: readonly RuleTrace[];
  /**
   * The rule that decided, or `null` if there was no rule to evaluate. It is one of:
   * - the last rule that granted the operation
   * - the `.validate` that does not hold
   * - where no rule grants the operation, the deepest rule that was evaluated for the denied path
   */
  readonly deciding: RuleTrace | null;
}

/**
 * Evaluates a rule and returns its trace. `path` is the path for which the rule is evaluated, for example `/rooms/r1`.
 */
export function traceRule(rule: Rule, scope: Scope, path: string): RuleTrace {
  const { kind, location } = rule;
  const recorder = new StepRecorder(scope);
  const value = observe(rule).evaluate(scope, recorder);
  return {
    kind,
    location: `/${location.join('/')}`,
    place: path,
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

/**
 * A rule that reports the values of its sub-expressions. It is compiled once, because a write of many values
 * evaluates the same rule for each value.
 */
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

/** Builds a tree of steps from `enter` and `leave` calls. */
class StepRecorder {
  readonly #scope: Scope;
  /**
   * A stack with the steps below each expression that is entered and not yet left. The bottom element holds
   * the step of the whole rule.
   */
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

  /** Returns the step of the whole rule. Throws when the rule has not been left yet. */
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
