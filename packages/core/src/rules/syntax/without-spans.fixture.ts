import type { Expression } from './expression.ts';

/** Returns an expression as JSON without its spans, for comparison. */
export function withoutSpans(expression: Expression): unknown {
  return JSON.parse(
    JSON.stringify(expression, (key, value: unknown) =>
      key === 'span' || key === 'nameSpan' ? undefined : value,
    ),
  );
}
