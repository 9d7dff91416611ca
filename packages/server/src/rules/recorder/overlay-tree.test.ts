import { NodeTree } from '@hearth/core/rules/evaluate/views.ts';
import { mergeWrites } from '@hearth/core/rules/model/decide.fixture.ts';
import { ruleCases } from '@hearth/core/rules/model/rule-case.arbitrary.ts';
import { parseKey } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { type Path, pathOf } from '@hearth/core/tree/path.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caseRequest } from '../denials/authorization-request.fixture.ts';
import { recordOperation } from './recording.ts';
import { OverlayTree } from './replay.ts';

const KEYS = ['a', 'b', 'u1'].map(parseKey);

/** All places that the trees can have, and some below them. */
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

/** Priorities are left out: those of nodes above, which the write emptied, are not recorded. */
test('[R184] a tree in which a write is taken back by what stood at its places is the tree before', () => {
  let changed = 0;
  fc.assert(
    fc.property(ruleCases, (each) => {
      const data = withoutPriorities(each.data);
      const { operation } = caseRequest({ ...each, data });
      const recorded = recordOperation(operation);
      if (recorded?.kind !== 'write') return;
      const after = mergeWrites(data, recorded.writes);
      // A child that is written below a leaf replaces it, and a place below a leaf cannot bring it back.
      if (recorded.writes.some(({ path }) => isBelowLeaf(data, path))) return;
      const before = new NodeTree(data);
      const overlay = new OverlayTree(new NodeTree(after), recorded.before);
      for (const evaluatedPath of PATHS) {
        expect(overlay.findValue(evaluatedPath)).toBe(before.findValue(evaluatedPath));
        for (const limit of [1, 2, 9])
          expect(overlay.firstKeys(evaluatedPath, limit)).toEqual(before.firstKeys(evaluatedPath, limit));
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
