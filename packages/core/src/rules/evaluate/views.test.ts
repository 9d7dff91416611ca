import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseKey } from '../../tree/key.ts';
import { treeArbitrary } from '../../tree/node.arbitrary.ts';
import { innerNode, leafNode, nodeAt, type TreeNode } from '../../tree/node.ts';
import { parseNodeJson } from '../../tree/node-json.ts';
import { indexValueOf, OBJECT } from '../../tree/order.ts';
import { type Path, parsePath, pathOf } from '../../tree/path.ts';
import { mergeWrites } from '../model/decide.fixture.ts';
import type { ProposedWrite } from './operation.ts';
import { pathsNear, pathsOf, writesNear } from './proposed-writes.arbitrary.ts';
import { ruleTreeContract, ruleViewContract } from './values.contract.ts';
import type { RuleTree } from './values.ts';
import { MergedView, NodeTree, proposedView } from './views.ts';

ruleTreeContract('in memory', (tree, use) => use(new NodeTree(tree)));

/** Returns writes that produce a tree: one for each child of the root and one for its priority, or one for a leaf. */
function writesOf(tree: TreeNode | null): readonly ProposedWrite[] {
  if (tree?.kind !== 'inner') return [{ kind: 'node', path: pathOf([]), node: tree }];
  const priority: ProposedWrite = { kind: 'priority', path: pathOf([]), priority: tree.priority };
  const children = [...tree.children].map(
    ([key, node]): ProposedWrite => ({ kind: 'node', path: pathOf([key]), node }),
  );
  return [...children, priority];
}

ruleViewContract('one write', (tree, use) =>
  use(proposedView(new NodeTree(leafNode('before')), [{ kind: 'node', path: pathOf([]), node: tree }])),
);
ruleViewContract('one write at a child', (tree, use) =>
  use(
    tree?.kind === 'inner' && tree.children.size > 1
      ? proposedView(new NodeTree(withLeaf(tree)), writesOf(tree).slice(0, 1))
      : new NodeTree(tree),
  ),
);
ruleViewContract('several writes', (tree, use) => use(new MergedView(new NodeTree(null), writesOf(tree))));
ruleViewContract('no writes', (tree, use) => use(proposedView(new NodeTree(tree), [])));

/** Returns the tree with a different leaf as its first child. */
function withLeaf(tree: TreeNode & { readonly kind: 'inner' }): TreeNode {
  const [first] = tree.children.keys();
  const children = [...tree.children].map(
    ([key, node]) => [key, key === first ? leafNode('x') : node] as const,
  );
  return innerNode(children, tree.priority) ?? tree;
}

/** Parses a write: `a=1` writes a value, `a=` removes, `a^5` sets a priority. */
function parseWrite(text: string): ProposedWrite {
  const [name = '', json = ''] = text.split(/[=^](.*)/);
  const path = parsePath(name);
  if (text.includes('^')) return { kind: 'priority', path, priority: JSON.parse(json) };
  return { kind: 'node', path, node: json === '' ? null : parseNodeJson(json) };
}

/** Returns the value at a path after some writes, followed by its priority. */
function shown(tree: TreeNode | null, writes: readonly string[], path: string): string {
  const view = proposedView(new NodeTree(tree), writes.map(parseWrite));
  const value = view.findValue(parsePath(path));
  const priority = view.findPriority(parsePath(path));
  const text = value === OBJECT ? '{}' : JSON.stringify(value);
  return priority === null ? text : `${text}^${JSON.stringify(priority)}`;
}

test.each([
  ['{"a":1}', 'b=2', '', '{}'],
  ['{"a":1}', 'b=2', 'a', '1'],
  ['{"a":1}', 'b=2', 'b', '2'],
  ['{"a":1}', 'b=2', 'c', 'null'],
  ['{"a":{"x":1}}', 'a={"y":2}', 'a/x', 'null'],
  ['{"a":{"x":1}}', 'a={"y":2}', 'a/y', '2'],
  ['{"a":{"x":1}}', '={"y":2}', 'a/x', 'null'],
  ['{"a":1}', 'a=', '', 'null'],
  ['{"a":1,".priority":3}', 'a=', '', 'null'],
  ['{"a":1,"b":2,".priority":3}', 'a=', '', '{}^3'],
  ['{"a":{"b":{"c":1}}}', 'a/b/c=', '', 'null'],
  ['{"a":{"b":{"c":1},"d":1}}', 'a/b/c=', 'a/b', 'null'],
  ['{"a":{"b":{"c":1},"d":1}}', 'a/b/c=', 'a', '{}'],
  ['{"a":{".value":1,".priority":5}}', 'a/b=', 'a', '1^5'],
  ['{"a":{".value":1,".priority":5}}', 'a/b=2', 'a', '{}^5'],
  ['{"a":1}', 'b=', '', '{}'],
  ['null', 'a/b=', '', 'null'],
  ['{"a":{".value":1,".priority":5}}', 'a=2', 'a', '2'],
  ['{"a":{".value":1,".priority":5}}', 'a^6', 'a', '1^6'],
  ['{"a":{".value":1,".priority":5}}', 'a^null', 'a', '1'],
  ['{"a":1}', 'b^6', 'b', 'null'],
  ['{"a":{"b":1}}', 'a^6', 'a/b', '1'],
])('[R110] in %s after the write %s, the path "%s" has the value %s', (json, write, path, expected) => {
  expect(shown(parseNodeJson(json), [write], path)).toBe(expected);
});

test.each([
  ['{"a":1,"b":2}', ['a=', 'b='], '', 'null'],
  ['{"a":1,"b":2,"c":3}', ['a=', 'b='], '', '{}'],
  ['{"a":{"b":1,".priority":5}}', ['a/b=', 'a/c=2'], 'a', '{}'],
  ['{"a":{"b":1,"x":1,".priority":5}}', ['a/b=', 'a/c=2'], 'a', '{}^5'],
  ['{"a":{"b":1,".priority":5}}', ['a/b=', 'a^7'], 'a', 'null'],
  ['null', ['a/b=1', 'a^7'], 'a', '{}^7'],
  ['{"a":{"b":{"c":1}}}', ['a/b/c=', 'x=1'], 'a', 'null'],
  ['{"a":{"b":{"c":1}}}', ['a/b/c=', 'x=1'], '', '{}'],
])('[R110] in %s after the writes %j, the path "%s" has the value %s', (json, writes, path, expected) => {
  expect(shown(parseNodeJson(json), writes, path)).toBe(expected);
});

const cases = treeArbitrary.chain((tree) =>
  fc.tuple(fc.constant(tree), writesNear(tree, 5), fc.array(pathsNear(tree), { maxLength: 5 })),
);

test('[R110] a view equals the tree after the writes, for several writes and for one', () => {
  fc.assert(
    fc.property(cases, ([tree, writes, elsewhere]) => {
      const before = new NodeTree(tree);
      for (const some of [writes, writes.slice(0, 1)]) {
        const merged = mergeWrites(tree, some);
        for (const view of [proposedView(before, some), new MergedView(before, some)])
          for (const path of pathsToEvaluate(merged, [...pathsOf(tree), ...elsewhere], some)) {
            const node = nodeAt(merged, path);
            expect([path, view.findValue(path)]).toEqual([path, indexValueOf(node)]);
            expect([path, view.findPriority(path)]).toEqual([path, node?.priority ?? null]);
          }
      }
    }),
    { numRuns: 500 },
  );
});

/** Returns the paths of `merged` and of the writes, the `others`, and all paths above them. */
function pathsToEvaluate(
  merged: TreeNode | null,
  others: readonly Path[],
  writes: readonly ProposedWrite[],
): readonly Path[] {
  const paths = [...pathsOf(merged), ...others, ...writes.map(({ path }) => path)];
  return paths.flatMap((path) => [path, ...path.map((_key, depth) => pathOf(path.slice(0, depth)))]);
}

/** Counts the keys that the view reads. */
class CountingTree extends NodeTree implements RuleTree {
  keys = 0;

  override firstKeys(path: Path, limit: number) {
    const keys = super.firstKeys(path, limit);
    this.keys += keys.length;
    return keys;
  }
}

test('[R111] to decide whether a node remains, a view reads at most one key more than the writes remove, and only once', () => {
  const key = (i: number) => parseKey(`k${i}`);
  const all = Array.from({ length: 1000 }, (_, i) => key(i));
  const tree = new CountingTree(innerNode(all.map((name) => [name, leafNode(1)])));
  const writes = all
    .slice(0, 100)
    .map((name): ProposedWrite => ({ kind: 'node', path: pathOf([name]), node: null }));
  const view = proposedView(tree, writes);
  for (let i = 0; i < 10; i++) expect(view.findValue(pathOf([]))).toBe(OBJECT);
  expect(tree.keys).toBeLessThanOrEqual(101);
});
