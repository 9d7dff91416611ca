import { OBJECT } from '../tree/order.ts';
import { formatPath } from '../tree/path.ts';
import { compileExpression, type Observer } from './compile-expression.ts';
import type { Expression } from './expression.ts';
import type { Evaluate, Rule } from './rule-set.ts';
import { RuleSnapshot } from './rule-snapshot.ts';
import { Fault, type RuleValue } from './rule-value.ts';
import type { Scope } from './scope.ts';
import type { RuleTrace, TraceStep, TraceValue } from './trace.ts';

/** Asks a rule and keeps what every sub-expression came to. `place` is the place it is asked for, as `/rooms/r1`. */
export function traceRule(rule: Rule, scope: Scope, place: string): RuleTrace {
  const { kind, location } = rule;
  const recorder = new StepRecorder(scope);
  const value = observe(rule).evaluate(scope, recorder);
  return {
    kind,
    location: `/${location.join('/')}`,
    place,
    holds: value === true,
    step: recorder.mustHaveStep(),
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
  mustHaveStep(): TraceStep {
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
