import type { Expression } from './expression.ts';

/** An expression as JSON and without its places, to be compared. */
export function withoutSpans(expression: Expression): unknown {
  return JSON.parse(
    JSON.stringify(expression, (key, value: unknown) =>
      key === 'span' || key === 'nameSpan' ? undefined : value,
    ),
  );
}
