import { type Bound, MAX_KEY, MIN_KEY, type Query, type QueryIndex } from '../../query/query.ts';
import type { TreeNode } from '../../tree/node.ts';
import type { Path } from '../../tree/path.ts';
import type { AuthObject, QueryVariables, RuleView } from './values.ts';
import type { WorkBudget } from './work-budget.ts';

/** What rules see of a read without a query. */
export const NO_QUERY: QueryVariables = {
  orderByKey: false,
  orderByValue: false,
  orderByPriority: false,
  orderByChild: null,
  startAt: null,
  endAt: null,
  equalTo: null,
  limitToFirst: null,
  limitToLast: null,
};

/** What rules see of a plain read over REST, which is in key order. */
export const PLAIN_REST_QUERY: QueryVariables = { ...NO_QUERY, orderByKey: true };

/** What rules see of a query. An exclusive bound shows like an inclusive one. */
export function queryVariables(query: Query | null): QueryVariables {
  if (query === null) return NO_QUERY;
  const { index, lower, upper, limit, from } = query;
  const startAt = boundVariable(index, lower);
  return {
    orderByKey: index.kind === 'key',
    orderByValue: index.kind === 'value',
    orderByPriority: index.kind === 'priority',
    orderByChild: index.kind === 'child' ? index.path.join('/') : null,
    startAt,
    endAt: boundVariable(index, upper),
    equalTo: isOneValue(lower, upper) ? startAt : null,
    limitToFirst: from === 'left' ? limit : null,
    limitToLast: from === 'right' ? limit : null,
  };
}

function boundVariable(index: QueryIndex, bound: Bound | null): boolean | number | string | null {
  if (bound === null) return null;
  if (index.kind === 'key') return isKeySentinel(bound.key) ? null : bound.key;
  const { value } = bound;
  // No bound is an inner node: there is none in a request.
  if (typeof value === 'symbol') return null;
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Do the bounds let through one value only, with whatever key, or with one key? */
function isOneValue(lower: Bound | null, upper: Bound | null): boolean {
  if (lower === null || upper === null || !lower.isInclusive || !upper.isInclusive) return false;
  if (lower.value !== upper.value) return false;
  return lower.key === upper.key || (lower.key === MIN_KEY && upper.key === MAX_KEY);
}

function isKeySentinel(key: string): boolean {
  return key === MIN_KEY || key === MAX_KEY;
}

/** What the variables of a rule stand for. Whoever asks many rules may change it between two of them: nobody keeps it. */
export interface Scope {
  /** `null` for anonymous principals. */
  readonly auth: AuthObject | null;
  readonly now: number;
  /** The tree before the operation: `root` and `data`. */
  readonly before: RuleView;
  /** The tree as the write would leave it: `newData`. For reads the same as `before`, and never looked at. */
  readonly after: RuleView;
  readonly query: QueryVariables;
  /**
   * Keys from the root down to the rule's location or beyond. A rule of depth d belongs to the first d keys; a capture
   * is one of them.
   */
  readonly path: Path;
  /** The node at `path` in `after`, where it is in hand; `undefined` where it has to be looked for. */
  readonly written?: TreeNode | null | undefined;
  /** Without one, nothing bounds what the rules may cost. */
  readonly work?: WorkBudget | undefined;
}
