import type { Evaluate } from './rule-set.ts';
import { Fault } from './rule-value.ts';
import type { Span } from './span.ts';

/** What no accepted rule contains: it never has a value. */
export function malformed(span: Span, message: string): Evaluate {
  const fault = new Fault(span, message);
  return () => fault;
}
