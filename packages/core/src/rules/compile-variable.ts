import type { Variable } from './expression.ts';
import { malformed } from './malformed.ts';
import { type PlaceWay, walkWay } from './place-way.ts';
import type { Evaluate } from './rule-set.ts';
import { RuleSnapshot } from './rule-snapshot.ts';
import { Fault } from './rule-value.ts';

/** A variable that is no place, in a rule at `location`: names from the root, captures with their `$`. */
export function compileVariable(e: Variable, location: readonly string[]): Evaluate {
  switch (e.name) {
    case 'auth':
      return (scope) => scope.auth;
    case 'now':
      return (scope) => scope.now;
    case 'query':
      return (scope) => scope.query;
    default:
      return compileCapture(e, location);
  }
}

/** The place at the end of a way. */
export function compilePlace({ tree, parts }: PlaceWay): Evaluate {
  return (scope) => {
    const keys = walkWay(parts, scope);
    return keys instanceof Fault
      ? keys
      : new RuleSnapshot(tree === 'before' ? scope.before : scope.after, keys);
  };
}

function compileCapture(e: Variable, location: readonly string[]): Evaluate {
  const level = e.name.startsWith('$') ? location.indexOf(e.name) : -1;
  if (level < 0) return malformed(e.span, `Unknown variable '${e.name}'.`);
  return (scope) => scope.path[level] ?? null;
}
