import fc from 'fast-check';
import { queryArbitrary } from '../../query/query.arbitrary.ts';
import { type Key, parseKey } from '../../tree/key.ts';
import { innerNode, leafNode, type Priority, type TreeNode } from '../../tree/node.ts';
import { type Path, pathOf } from '../../tree/path.ts';
import type { ProposedWrite } from '../evaluate/operation.ts';
import { updatesOf } from '../evaluate/proposed-writes.arbitrary.ts';
import type { RuleKind } from '../evaluate/rule-set.ts';
import { NO_QUERY, PLAIN_REST_QUERY, queryVariables } from '../evaluate/scope.ts';
import type { AuthObject, QueryVariables } from '../evaluate/values.ts';
import { ruleTexts } from './rule-text.arbitrary.ts';

/** Rules, data, the caller and its operation. */
export interface RuleCase {
  readonly rules: string;
  readonly data: TreeNode | null;
  readonly auth: AuthObject | null;
  readonly now: number;
  readonly operation:
    | { readonly kind: 'read'; readonly path: Path; readonly query: QueryVariables }
    | { readonly kind: 'write'; readonly writes: readonly ProposedWrite[] };
}

const NOW = 1_700_000_000_000;

/** Few keys, so that rules, data and operations overlap. */
const KEYS: readonly Key[] = ['a', 'b', 'u1'].map(parseKey);

const keys = fc.constantFrom(...KEYS);

const paths = fc.array(keys, { maxLength: 3 }).map(pathOf);

const priorities = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Priority>(null) },
  { weight: 1, arbitrary: fc.constantFrom<Priority>(1, 'a') },
);

const leaves = fc
  .tuple(fc.constantFrom(true, false, 0, 1, 2, 2n ** 60n, NOW, '', 'a', 'b', 'A', 'u1', 'ab'), priorities)
  .map(([value, priority]) => leafNode(value, priority));

function nodes(depth: number): fc.Arbitrary<TreeNode> {
  if (depth === 0) return leaves;
  const children = fc.uniqueArray(fc.tuple(keys, nodes(depth - 1)), {
    minLength: 1,
    maxLength: KEYS.length,
    selector: ([key]) => key,
  });
  const inner = fc
    .tuple(children, priorities)
    .map(([entries, priority]) => innerNode(entries, priority) ?? leafNode(true));
  return fc.oneof({ weight: 2, arbitrary: leaves }, { weight: 3, arbitrary: inner });
}

const authObjects: fc.Arbitrary<AuthObject | null> = fc.constantFrom(
  null,
  { uid: 'u1', token: { admin: true, n: 2, a: 'b', b: null } },
  { uid: 'u1', token: { admin: false, n: 'a' } },
  { uid: 'a' },
);

const queries: fc.Arbitrary<QueryVariables> = fc.oneof(
  fc.constantFrom(NO_QUERY, PLAIN_REST_QUERY),
  queryArbitrary.map(queryVariables),
  fc.constantFrom<QueryVariables>(
    { ...NO_QUERY, orderByChild: 'a', startAt: 'u1', endAt: 'u1', equalTo: 'u1', limitToFirst: 2 },
    { ...NO_QUERY, orderByChild: 'a', limitToFirst: 3 },
    { ...NO_QUERY, orderByKey: true, startAt: 'a' },
  ),
);

const operations: fc.Arbitrary<RuleCase['operation']> = fc.oneof(
  fc.record({ kind: fc.constant('read' as const), path: paths, query: queries }),
  fc.record({ kind: fc.constant('write' as const), writes: writes(1) }),
  fc.record({ kind: fc.constant('write' as const), writes: writes(4) }),
);

function writes(maxCount: number): fc.Arbitrary<readonly ProposedWrite[]> {
  return updatesOf(paths, fc.option(nodes(2), { freq: 8 }), maxCount);
}

const WILDCARDS = ['$x', '$y', '$z'] as const;

/** Generates a location of a rules document, as JSON. */
function locations(depth: number, wildcards: readonly string[]): fc.Arbitrary<object> {
  const rule = (kind: RuleKind) => usuallyPresent(ruleTexts({ kind, wildcards }));
  const rules = { '.read': rule('read'), '.write': rule('write'), '.validate': rule('validate') };
  const wildcard = WILDCARDS[depth];
  if (wildcard === undefined) return fc.record(rules);
  const below = usuallyPresent(locations(depth + 1, wildcards));
  const wildcardRules = usuallyPresent(locations(depth + 1, [...wildcards, wildcard]));
  return fc.record({ ...rules, a: below, u1: below, [wildcard]: wildcardRules });
}

function usuallyPresent<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 4 });
}

/** Generates rules documents. `JSON.stringify` omits properties that are `undefined`. */
const documents = locations(0, []).map((rules) => JSON.stringify({ rules }));

/** Generates cases. Many are allowed, many are denied, and in many at least one rule has no value. */
export const ruleCases: fc.Arbitrary<RuleCase> = fc.record({
  rules: documents,
  data: fc.option(nodes(3), { freq: 8 }),
  auth: authObjects,
  now: fc.constant(NOW),
  operation: operations,
});
