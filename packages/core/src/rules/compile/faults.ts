import type { Evaluate } from '../evaluate/rule-set.ts';
import { Fault, RuleSnapshot, type RuleValue } from '../evaluate/values.ts';
import type { Span } from '../syntax/problems.ts';

/** Compiles an expression that no accepted rule contains. It always evaluates to a fault. */
export function malformed(span: Span, message: string): Evaluate {
  const fault = new Fault(span, message);
  return () => fault;
}

/**
 * Returns a function that returns the fault for a value of the wrong type: the value itself if it is a fault,
 * otherwise a fault that says that `subject` must be `need`. Each fault is created only once.
 */
export function operandFaults(span: Span, subject: string, need: string): (value: RuleValue) => Fault {
  // Most operands never cause a fault, so the map is created on first use.
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
