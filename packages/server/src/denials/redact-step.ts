import type { Expression } from '@hearth/core/rules/expression.ts';
import type { Span } from '@hearth/core/rules/span.ts';
import { subExpressions } from '@hearth/core/rules/sub-expressions.ts';
import type { TraceStep, TraceValue } from '@hearth/core/rules/trace.ts';
import { tellsData } from './data-use.ts';
import type { KeptStep, RedactedValue } from './denial.ts';

/**
 * The steps of a rule without what they tell of data: texts, numbers, and places made of them. What rules say themselves
 * stays, and so do `auth`, captures, and every yes or no.
 */
export function redactStep(expression: Expression, step: TraceStep): KeptStep {
  return redactWith(tellingSpans(expression), step);
}

function redactWith(telling: ReadonlySet<string>, { span, value, steps }: TraceStep): KeptStep {
  return {
    span,
    value: telling.has(spanName(span)) ? redactValue(value) : value,
    steps: steps.map((inner) => redactWith(telling, inner)),
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

const KNOWN = new WeakMap<Expression, ReadonlySet<string>>();

/** Names of the spans of all sub-expressions that tell data. */
function tellingSpans(expression: Expression): ReadonlySet<string> {
  const known = KNOWN.get(expression);
  if (known !== undefined) return known;
  const spans = new Set<string>();
  const collect = (part: Expression): void => {
    if (tellsData(part)) spans.add(spanName(part.span));
    subExpressions(part).forEach(collect);
  };
  collect(expression);
  KNOWN.set(expression, spans);
  return spans;
}

/** No two sub-expressions of a rule have the same span. */
export function spanName({ start, end }: Span): string {
  return `${start}-${end}`;
}
