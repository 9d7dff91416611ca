import type { QueryIndex } from '@hearth/core/query/query.ts';
import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { innerNode, leafNode, type Priority, type Scalar, type TreeNode } from '@hearth/core/tree/node.ts';
import fc from 'fast-check';
import type { Declaration, Pattern } from './index-catalog.ts';

export interface HistoryWrite {
  readonly path: readonly Key[];
  readonly node: TreeNode | null;
}

/** One step of a random history of one database. */
export type Step =
  | { readonly kind: 'write'; readonly path: readonly Key[]; readonly node: TreeNode | null }
  /** Like a write, but the tree is first built from JSON text outside the database, and then linked at the path. */
  | { readonly kind: 'stage'; readonly path: readonly Key[]; readonly node: TreeNode | null }
  /** Values, or removals, at several paths that do not overlap. */
  | { readonly kind: 'update'; readonly writes: readonly HistoryWrite[] }
  | { readonly kind: 'priority'; readonly path: readonly Key[]; readonly priority: Priority }
  | { readonly kind: 'abort'; readonly path: readonly Key[]; readonly node: TreeNode | null }
  | { readonly kind: 'declare'; readonly declared: readonly Declaration[] }
  | { readonly kind: 'work'; readonly entries: number };

/** Generates keys of every kind, mostly one of two keys, so that histories often return to the same paths. */
export const historyKeys: fc.Arbitrary<Key> = fc
  .oneof(
    { weight: 5, arbitrary: fc.constantFrom('a', 'b') },
    { weight: 2, arbitrary: fc.constantFrom('0', '1', '2', '10', '01', '-1', 'é', '🔥') },
  )
  .map(parseKey);

export const historyPaths: fc.Arbitrary<readonly Key[]> = fc.array(historyKeys, {
  maxLength: 4,
  size: 'max',
});

// Long strings make nodes split. Some strings differ only after the point where index entries are cut.
const longStrings = fc
  .tuple(fc.constantFrom('x', 'é'), fc.constantFrom(300, 700, 2500, 2500), fc.constantFrom('', 'a', 'b'))
  .map(([unit, length, end]) => unit.repeat(length) + end);

export const historyScalars: fc.Arbitrary<Scalar> = fc.oneof(
  fc.boolean(),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom<Scalar>(
    0.5,
    -0.25,
    9007199254740993n,
    -9007199254740993n,
    '',
    '\u0000',
    'a',
    'b',
    '\ud83d',
  ),
  { weight: 3, arbitrary: longStrings },
);

const historyPriorities: fc.Arbitrary<Priority> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Priority>(0, 1, -2.5, '', 'p', 'x'.repeat(600), `${'x'.repeat(600)}y`),
  },
);

export const historyNodes: fc.Arbitrary<TreeNode> = fc.letrec<{
  node: TreeNode;
  leaf: TreeNode;
  inner: TreeNode;
}>((tie) => ({
  node: fc.oneof({ maxDepth: 4 }, tie('leaf'), { weight: 3, arbitrary: tie('inner') }),
  leaf: fc.tuple(historyScalars, historyPriorities).map(([value, priority]) => leafNode(value, priority)),
  inner: fc
    .tuple(
      fc.array(fc.tuple(historyKeys, tie('node')), { minLength: 1, maxLength: 4, size: 'max' }),
      historyPriorities,
    )
    .map(([entries, priority]) => innerNode(new Map(entries), priority) ?? leafNode(true)),
})).node;

const patterns: fc.Arbitrary<Pattern> = fc.array(fc.constantFrom(null, 'a', 'b'), { maxLength: 2 });
const indexes: fc.Arbitrary<QueryIndex> = fc.oneof(
  fc.constant<QueryIndex>({ kind: 'value' }),
  fc.array(historyKeys, { minLength: 1, maxLength: 2 }).map((path): QueryIndex => ({ kind: 'child', path })),
);
export const declarations: fc.Arbitrary<readonly Declaration[]> = fc.uniqueArray(
  fc.record({
    pattern: patterns,
    indexes: fc.uniqueArray(indexes, { maxLength: 2, selector: (index) => JSON.stringify(index) }),
  }),
  { maxLength: 4, selector: ({ pattern }) => JSON.stringify(pattern) },
);

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: write('write') },
    { weight: 2, arbitrary: write('stage') },
    { weight: 3, arbitrary: update() },
    { weight: 1, arbitrary: write('abort') },
    {
      weight: 2,
      arbitrary: fc.record<Step & { kind: 'priority' }>({
        kind: fc.constant('priority'),
        path: historyPaths,
        priority: historyPriorities,
      }),
    },
    { weight: 1, arbitrary: declarations.map((declared): Step => ({ kind: 'declare', declared })) },
    {
      weight: 2,
      arbitrary: fc.integer({ min: 1, max: 12 }).map((entries): Step => ({ kind: 'work', entries })),
    },
  ),
  { maxLength: 30, size: 'max' },
);

/**
 * Histories start with a declaration of indexes and a write at the root, so that many of them begin with a whole tree
 * and some indexes.
 */
export const histories: fc.Arbitrary<readonly Step[]> = fc
  .tuple(declarations, historyNodes, steps)
  .map(([declared, node, rest]): readonly Step[] => [
    { kind: 'declare', declared },
    { kind: 'write', path: [], node },
    ...rest,
  ]);

function write(kind: 'write' | 'stage' | 'abort'): fc.Arbitrary<Step> {
  const nodes = fc.oneof({ weight: 3, arbitrary: historyNodes }, { weight: 1, arbitrary: fc.constant(null) });
  return fc.record({ path: historyPaths, node: nodes }).map(({ path, node }): Step => ({ kind, path, node }));
}

function update(): fc.Arbitrary<Step> {
  const writes = fc.array(fc.record({ path: historyPaths, node: historyNodes }), {
    maxLength: 8,
    size: 'max',
  });
  const isPrefix = (a: HistoryWrite, b: HistoryWrite): boolean =>
    a.path.every((key, index) => key === b.path[index]);
  return fc.tuple(writes, fc.boolean()).map(([list, isRemoval]): Step => {
    const apart = list.filter((write, index) =>
      list.slice(0, index).every((earlier) => !isPrefix(earlier, write) && !isPrefix(write, earlier)),
    );
    return { kind: 'update', writes: isRemoval ? apart.map(({ path }) => ({ path, node: null })) : apart };
  });
}

const priorities: fc.Arbitrary<Priority> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom<Priority>(7, 'é"') },
);

/** Generates trees of several levels. Long strings spread some of them over many entries of a store. */
export const spreadNodes: fc.Arbitrary<TreeNode> = fc.letrec<{
  node: TreeNode;
  leaf: TreeNode;
  inner: TreeNode;
}>((tie) => ({
  node: fc.oneof({ maxDepth: 4 }, tie('leaf'), { weight: 3, arbitrary: tie('inner') }),
  leaf: fc.tuple(historyScalars, priorities).map(([value, priority]) => leafNode(value, priority)),
  inner: fc
    .tuple(
      fc.array(fc.tuple(historyKeys, tie('node')), { minLength: 1, maxLength: 6, size: 'max' }),
      priorities,
    )
    .map(([entries, priority]) => innerNode(new Map(entries), priority) ?? leafNode(true)),
})).node;
