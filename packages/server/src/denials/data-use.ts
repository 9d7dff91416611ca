import type { Expression } from '@hearth/core/rules/expression.ts';
import { subExpressions } from '@hearth/core/rules/sub-expressions.ts';

/** Methods of snapshots that tell a value. */
const TELLING: ReadonlySet<string> = new Set(['val', 'getPriority']);

/** Methods of snapshots that look at the tree and say yes or no. No method of strings is called like one of them. */
const LOOKING: ReadonlySet<string> = new Set([
  'exists',
  'hasChild',
  'hasChildren',
  'isBoolean',
  'isNumber',
  'isString',
]);

/** May the value of an expression hold what a client wrote, or be made of it? */
export function tellsData(expression: Expression): boolean {
  return callsAny(expression, (name) => TELLING.has(name));
}

/** Does the value of an expression depend on the tree? */
export function usesData(expression: Expression): boolean {
  return callsAny(expression, (name) => TELLING.has(name) || LOOKING.has(name));
}

function callsAny(expression: Expression, isMeant: (name: string) => boolean): boolean {
  if (expression.kind === 'call' && expression.callee.kind === 'member' && isMeant(expression.callee.name))
    return true;
  return subExpressions(expression).some((part) => callsAny(part, isMeant));
}
