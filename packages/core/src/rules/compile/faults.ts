import type { Evaluate } from '../evaluate/rule-set.ts';
import { Fault, RuleSnapshot, type RuleValue } from '../evaluate/values.ts';
import type { Span } from '../syntax/problems.ts';

/** What no accepted rule contains: it never has a value. */
export function malformed(span: Span, message: string): Evaluate {
  const fault = new Fault(span, message);
  return () => fault;
}

/**
 * Says what is wrong with a value in one place of a rule: the fault that it is, or one that says that `subject` must be `need`.
 * Every fault is made once.
 */
export function operandFaults(span: Span, subject: string, need: string): (value: RuleValue) => Fault {
  // Most places of most rules are never at fault.
  let made: Map<string, Fault> | undefined;
  return (value) => {
    if (value instanceof Fault) return value;
    const kind = describeKind(value);
    const known = made?.get(kind);
    if (known !== undefined) return known;
    const advice = kind === 'null' ? ' Test for null first, as in "x != null && …".' : '';
    const fault = new Fault(span, `${subject} is ${kind}, but must be ${need}.${advice}`);
    made ??= new Map();
    made.set(kind, fault);
    return fault;
  };
}

function describeKind(value: RuleValue): string {
  if (value === null) return 'null';
  if (value instanceof RuleSnapshot) return 'a snapshot';
  const type = typeof value;
  return type === 'boolean' || type === 'number' || type === 'string' ? `a ${type}` : 'an object';
}
