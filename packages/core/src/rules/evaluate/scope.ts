import { type Bound, MAX_KEY, MIN_KEY, type Query, type QueryIndex } from '../../query/query.ts';
import type { TreeNode } from '../../tree/node.ts';
import type { Path } from '../../tree/path.ts';
import type { AuthObject, QueryVariables, RuleView } from './values.ts';
import type { WorkBudget } from './work-budget.ts';

/** The `query` variable for a read without a query. */
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

/** The `query` variable for a plain REST read, which is in key order. */
export const PLAIN_REST_QUERY: QueryVariables = { ...NO_QUERY, orderByKey: true };

/**
 * Returns the `query` variable for a query. In `startAt` and `endAt`, an exclusive bound has the same value as an
 * inclusive one.
 */
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
  // A bound is never an inner node: requests cannot contain one.
  if (typeof value === 'symbol') return null;
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Returns whether the bounds admit exactly one value, either with any key or with a single key. */
function isOneValue(lower: Bound | null, upper: Bound | null): boolean {
  if (lower === null || upper === null || !lower.isInclusive || !upper.isInclusive) return false;
  if (lower.value !== upper.value) return false;
  return lower.key === upper.key || (lower.key === MIN_KEY && upper.key === MAX_KEY);
}

function isKeySentinel(key: string): boolean {
  return key === MIN_KEY || key === MAX_KEY;
}

/**
 * The values of a rule's variables. A caller that evaluates many rules may change the scope between two
 * evaluations, so evaluation code must not store it.
 */
export interface Scope {
  /** `null` for callers that are not signed in. */
  readonly auth: AuthObject | null;
  readonly now: number;
  /** The tree before the operation: `root` and `data`. */
  readonly before: RuleView;
  /**
   * The tree as the write would leave it: `newData`. For reads, it is the same as `before` and never read.
   */
  readonly after: RuleView;
  readonly query: QueryVariables;
  /**
   * Keys from the root down to the rule's location or beyond. A rule of depth d uses the first d keys. The
   * values of its wildcards are among them.
   */
  readonly path: Path;
  /**
   * The node at `path` in `after`, if the caller already has it. `undefined` means that the rule reads it
   * from `after`.
   */
  readonly written?: TreeNode | null | undefined;
  /** The work budget. Without one, the cost of the rules has no limit. */
  readonly work?: WorkBudget | undefined;
}
