import { type Call, type Expression, subExpressions } from '../syntax/expression.ts';

/** Units of work, as `WorkBudget` counts them: for a rule, for each sub-expression, and for each read of the data. */
const RULE_WORK = 40;
const PART_WORK = 4;
const PREDICATE_COST = 400;
/** Cost of a read of the written value, which is already in memory. */
const LOCAL_PREDICATE_COST = 20;

const PREDICATES: ReadonlySet<string> = new Set([
  'val',
  'exists',
  'hasChild',
  'hasChildren',
  'getPriority',
  'isString',
  'isNumber',
  'isBoolean',
]);

/**
 * Returns the units of work that one evaluation of a rule costs, as if every sub-expression were evaluated. The work
 * for strings is not included.
 */
export function ruleCost(expression: Expression): number {
  return RULE_WORK + partCost(expression);
}

function partCost(e: Expression): number {
  const own = PART_WORK + (e.kind === 'call' ? predicateCost(e) : 0);
  return subExpressions(e).reduce((total, part) => total + partCost(part), own);
}

function predicateCost({ callee, args: [names] }: Call): number {
  if (callee.kind !== 'member' || !PREDICATES.has(callee.name)) return 0;
  const count = names?.kind === 'array' ? Math.max(1, names.items.length) : 1;
  return count * (isNewData(callee.target) ? LOCAL_PREDICATE_COST : PREDICATE_COST);
}

/** Returns whether an expression is `newData` or a path below it. */
function isNewData(snapshot: Expression): boolean {
  if (snapshot.kind === 'variable') return snapshot.name === 'newData';
  return (
    snapshot.kind === 'call' &&
    snapshot.callee.kind === 'member' &&
    snapshot.callee.name === 'child' &&
    isNewData(snapshot.callee.target)
  );
}
