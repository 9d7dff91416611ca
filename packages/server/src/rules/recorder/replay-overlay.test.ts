import { ruleTreeContract } from '@hearth/core/rules/evaluate/values.contract.ts';
import type { RuleTree } from '@hearth/core/rules/evaluate/values.ts';
import { NodeTree } from '@hearth/core/rules/evaluate/views.ts';
import { mergeWrites } from '@hearth/core/rules/model/decide.fixture.ts';
import { ruleCases } from '@hearth/core/rules/model/rule-case.arbitrary.ts';
import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { innerNode, leafNode, type TreeNode } from '@hearth/core/tree/node.ts';
import { type Path, pathOf } from '@hearth/core/tree/path.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caseRequest } from '../denials/authorization-request.fixture.ts';
import { recordOperation } from './recording.ts';
import { OverlayTree } from './replay.ts';

ruleTreeContract('overlay of the whole tree', (tree, use) =>
  use(new OverlayTree(new NodeTree(leafNode('current')), [{ path: pathOf([]), node: tree }])),
);

ruleTreeContract('overlay of every second child', (tree, use) => use(restoredChildren(tree)));

/** Returns an overlay that shows `tree`. In the tree below it, some children are absent and others are replaced. */
function restoredChildren(tree: TreeNode | null): RuleTree {
  if (tree?.kind !== 'inner') return new OverlayTree(new NodeTree(tree), []);
  const replaced = [...tree.children].filter((_, index) => index % 2 === 0);
  const added = parseKey('only-current');
  const current = new Map(tree.children);
  for (const [index, [key]] of replaced.entries())
    if (index % 2 === 0 && current.size > 1) current.delete(key);
    else current.set(key, leafNode('current'));
  current.set(added, leafNode('current'));
  const before = [
    ...replaced.map(([key, node]) => ({ path: pathOf([key]), node })),
    { path: pathOf([added]), node: null },
  ];
  return new OverlayTree(new NodeTree(inOrder(current, tree)), before);
}

function inOrder(children: ReadonlyMap<Key, TreeNode>, { priority }: TreeNode): TreeNode | null {
  return innerNode([...children], priority);
}

const KEYS = ['a', 'b', 'u1'].map(parseKey);

/** Returns `path` and all paths of `KEYS` below it, down to `depth` levels. */
function pathsBelow(path: Path, depth: number): readonly Path[] {
  if (depth === 0) return [path];
  return [path, ...KEYS.flatMap((key) => pathsBelow(pathOf([...path, key]), depth - 1))];
}

const PATHS = pathsBelow(pathOf([]), 4);

function withoutPriorities(node: TreeNode | null): TreeNode | null {
  if (node === null || node.kind === 'leaf') return node && { ...node, priority: null };
  const children = [...node.children].map(
    ([key, child]) => [key, withoutPriorities(child) ?? child] as const,
  );
  return { ...node, priority: null, children: new Map(children) };
}

/** Compares without priorities, because the priority of a parent that a write empties is not recorded. */
test('[R184] after a write, restoring the earlier values at its paths gives the tree before the write', () => {
  let changed = 0;
  fc.assert(
    fc.property(ruleCases, (each) => {
      const data = withoutPriorities(each.data);
      const { operation } = caseRequest({ ...each, data });
      const recorded = recordOperation(operation);
      if (recorded?.kind !== 'write') return;
      const after = mergeWrites(data, recorded.writes);
      // A write below a leaf replaces the leaf, which the earlier values below it cannot restore.
      if (recorded.writes.some(({ path }) => isBelowLeaf(data, path))) return;
      const before = new NodeTree(data);
      const overlay = new OverlayTree(new NodeTree(after), recorded.before);
      for (const path of PATHS) {
        expect(overlay.findValue(path)).toBe(before.findValue(path));
        for (const limit of [1, 2, 9])
          expect(overlay.firstKeys(path, limit)).toEqual(before.firstKeys(path, limit));
      }
      if (after !== data) changed++;
    }),
    { numRuns: 1_000 },
  );
  expect(changed).toBeGreaterThan(100);
});

function isBelowLeaf(node: TreeNode | null, path: Path): boolean {
  let here = node;
  for (const key of path) {
    if (here?.kind === 'leaf') return true;
    here = here?.children.get(key) ?? null;
  }
  return false;
}
