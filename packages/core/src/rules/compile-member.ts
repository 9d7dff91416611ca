import type { Member, Subscript } from './expression.ts';
import { operandFaults } from './operand-faults.ts';
import type { Evaluate } from './rule-set.ts';
import { RuleSnapshot } from './rule-snapshot.ts';
import { Fault, type RuleValue } from './rule-value.ts';

/** `target.name` of `auth`, something in it, or `query`. */
export function compileProperty(e: Member, target: Evaluate): Evaluate {
  const { name } = e;
  return (scope) => findProperty(target(scope), name);
}

/** `auth.name`: `null` for guests, and where it is missing. */
export function compileClaim(name: string): Evaluate {
  return ({ auth }) => (auth === null ? null : findOwn(auth, name));
}

/** `target[key]` of `auth` or something in it. */
export function compileSubscript(e: Subscript, target: Evaluate, key: Evaluate): Evaluate {
  const failKey = operandFaults(e.key.span, 'What stands in [ ]', 'a string or a number');
  return (scope) => {
    const object = target(scope);
    if (object instanceof Fault) return object;
    const name = key(scope);
    if (typeof name !== 'string' && typeof name !== 'number') return failKey(name);
    return findProperty(object, String(name));
  };
}

/** What is missing is `null`, at any depth; so is any property of what is no object. */
function findProperty(target: RuleValue, name: string): RuleValue {
  if (target instanceof Fault) return target;
  if (typeof target !== 'object' || target === null || target instanceof RuleSnapshot) return null;
  return findOwn(target, name);
}

function findOwn(object: object, name: string): RuleValue {
  return Object.hasOwn(object, name)
    ? ruleValueOf((object as Readonly<Record<string, unknown>>)[name])
    : null;
}

function ruleValueOf(value: unknown): RuleValue {
  switch (typeof value) {
    case 'boolean':
    case 'number':
    case 'string':
      return value;
    case 'bigint':
      return Number(value);
    case 'object':
      return value as RuleValue;
    default:
      return null;
  }
}
