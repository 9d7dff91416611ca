import type { TraceStep, TraceValue } from '@hearth/core/rules/explain/trace.ts';
import { type Expression, subExpressions } from '@hearth/core/rules/syntax/expression.ts';
import type { Span } from '@hearth/core/rules/syntax/problems.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { CutValue, RedactedValue, StoredStep } from './denial.ts';

/** Returns whether the expression connects conditions, such as `a && b`, and is not a single condition. */
function isConnective(expression: Expression): boolean {
  switch (expression.kind) {
    case 'binary':
      return expression.operator === '&&' || expression.operator === '||';
    case 'unary':
      return expression.operator === '!';
    case 'conditional':
      return true;
    default:
      return false;
  }
}

/**
 * Returns the expression of a rule with each of its conditions replaced. Conditions are the parts that `&&`,
 * `||`, `!` and `?:` connect.
 */
export function replaceConditions(
  expression: Expression,
  replace: (condition: Expression) => Expression,
): Expression {
  if (!isConnective(expression)) return replace(expression);
  const inner = (part: Expression): Expression => replaceConditions(part, replace);
  switch (expression.kind) {
    case 'binary':
      return { ...expression, left: inner(expression.left), right: inner(expression.right) };
    case 'unary':
      return { ...expression, operand: inner(expression.operand) };
    case 'conditional':
      return {
        ...expression,
        condition: inner(expression.condition),
        consequent: inner(expression.consequent),
        alternate: inner(expression.alternate),
      };
    default:
      return expression;
  }
}

/** Methods of snapshots that reveal a value. */
const REVEALING: ReadonlySet<string> = new Set(['val', 'getPriority']);

/** Methods of snapshots that read the tree and return a boolean. No method of strings has one of these names. */
const READING: ReadonlySet<string> = new Set([
  'exists',
  'hasChild',
  'hasChildren',
  'isBoolean',
  'isNumber',
  'isString',
]);

/** Returns whether the value of an expression may contain, or be derived from, a value that a client wrote. */
function revealsData(expression: Expression): boolean {
  return callsAny(expression, (name) => REVEALING.has(name));
}

/** Returns whether the value of an expression depends on the tree. */
function usesData(expression: Expression): boolean {
  return callsAny(expression, (name) => REVEALING.has(name) || READING.has(name));
}

function callsAny(expression: Expression, isMatch: (name: string) => boolean): boolean {
  if (expression.kind === 'call' && expression.callee.kind === 'member' && isMatch(expression.callee.name))
    return true;
  return subExpressions(expression).some((part) => callsAny(part, isMatch));
}

/**
 * Returns the steps of a rule without texts, numbers and paths that reveal data. Constants of the rule, `auth`,
 * wildcards and booleans remain.
 */
export function redactStep(expression: Expression, step: TraceStep): StoredStep {
  return redactWith(revealingSpans(expression), step);
}

function redactWith(revealing: ReadonlySet<string>, { span, value, steps }: TraceStep): StoredStep {
  return {
    span,
    value: revealing.has(spanName(span)) ? redactValue(value) : value,
    steps: steps.map((inner) => redactWith(revealing, inner)),
  };
}

function redactValue(value: TraceValue): TraceValue | RedactedValue {
  switch (value.kind) {
    case 'scalar':
      if (typeof value.value === 'string')
        return { kind: 'redacted', of: 'string', length: value.value.length };
      return typeof value.value === 'number' ? { kind: 'redacted', of: 'number' } : value;
    case 'not-finite':
      return { kind: 'redacted', of: 'number' };
    case 'snapshot':
      return { kind: 'redacted', of: 'snapshot', tree: value.tree };
    default:
      return value;
  }
}

const REVEALING_SPANS = new WeakMap<Expression, ReadonlySet<string>>();

/** Returns the names of the spans of all sub-expressions that reveal data. */
function revealingSpans(expression: Expression): ReadonlySet<string> {
  const known = REVEALING_SPANS.get(expression);
  if (known !== undefined) return known;
  const spans = new Set<string>();
  const collect = (part: Expression): void => {
    if (revealsData(part)) spans.add(spanName(part.span));
    subExpressions(part).forEach(collect);
  };
  collect(expression);
  REVEALING_SPANS.set(expression, spans);
  return spans;
}

/** Returns a unique name for a sub-expression. No two sub-expressions of a rule have the same span. */
export function spanName({ start, end }: Span): string {
  return `${start}-${end}`;
}

/** Returns JSON text in which 64-bit integers are doubles, as rules see them. */
export function printJsonWithDoubles(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? Number(item) : item));
}

/** Parses JSON text, with all integers as doubles. Throws a `SyntaxError` for text that is not JSON. */
export function parseJsonWithDoubles(text: string): unknown {
  return withDoubles(parseJsonText(text));
}

function withDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withDoubles);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [key, withDoubles(item)]),
  );
}

/** Maximum length of a text in a trace, in UTF-16 code units. */
const MAX_TEXT_UNITS = 1_000;

/** Returns the steps of a rule with their values. Long values are cut. */
export function shortenStep({ span, value, steps }: TraceStep): StoredStep {
  return { span, value: shortenValue(value), steps: steps.map(shortenStep) };
}

function shortenValue(value: TraceValue): TraceValue | CutValue {
  if (value.kind === 'scalar' && typeof value.value === 'string')
    return cutLong('string', value.value) ?? value;
  if (value.kind !== 'json' || typeof value.value !== 'object' || value.value === null) return value;
  return cutObject(value.value) ?? value;
}

const SHORTENED = new WeakMap<object, CutValue | null>();

/**
 * Returns the start of the JSON of an object, or `null` if it is short. Cached, because a trace shows the same
 * object many times.
 */
function cutObject(object: object): CutValue | null {
  const known = SHORTENED.get(object);
  if (known !== undefined) return known;
  const cut = cutLong('json', printJsonWithDoubles(object));
  SHORTENED.set(object, cut);
  return cut;
}

function cutLong(of: CutValue['of'], text: string): CutValue | null {
  if (text.length <= MAX_TEXT_UNITS) return null;
  return { kind: 'cut', of, start: text.slice(0, MAX_TEXT_UNITS).toWellFormed(), length: text.length };
}

/**
 * Returns the expression of a rule in which each condition on data is replaced by its recorded result. A
 * condition that was not evaluated is replaced by an error. The result does not read the tree.
 */
export function withRecordedOutcomes(expression: Expression, step: StoredStep): Expression {
  const outcomes = outcomesBySpan(step);
  return replaceConditions(expression, (condition) => {
    if (!usesData(condition)) return condition;
    const outcome = outcomes.get(spanName(condition.span))?.value;
    return outcome?.kind === 'scalar' && typeof outcome.value === 'boolean'
      ? { kind: 'literal', span: condition.span, value: outcome.value }
      : errorAt(condition);
  });
}

function outcomesBySpan(step: StoredStep): ReadonlyMap<string, StoredStep> {
  const steps = new Map<string, StoredStep>();
  const collect = (here: StoredStep): void => {
    steps.set(spanName(here.span), here);
    here.steps.forEach(collect);
  };
  collect(step);
  return steps;
}

/** Returns an expression that compiles and always fails: the negative of `null`. */
function errorAt({ span }: Expression): Expression {
  return { kind: 'unary', span, operator: '-', operand: { kind: 'literal', span, value: null } };
}
