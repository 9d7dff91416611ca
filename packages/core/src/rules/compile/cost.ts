import { type Call, type Expression, subExpressions } from '../syntax/expression.ts';

/** Units of work, as `WorkBudget` counts them: of a rule, of each part of it, and of a look at the data. */
const RULE_WORK = 40;
const PART_WORK = 4;
const PREDICATE_COST = 400;
/** What is being written is in hand. */
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

/** Units of work that a rule costs whenever it is asked, as if all of it were evaluated. What strings cost is not in it. */
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
  return count * (isInHand(callee.target) ? LOCAL_PREDICATE_COST : PREDICATE_COST);
}

/** Is it `newData`, or a place below? */
function isInHand(evaluatedPath: Expression): boolean {
  if (evaluatedPath.kind === 'variable') return evaluatedPath.name === 'newData';
  return (
    evaluatedPath.kind === 'call' &&
    evaluatedPath.callee.kind === 'member' &&
    evaluatedPath.callee.name === 'child' &&
    isInHand(evaluatedPath.callee.target)
  );
}
