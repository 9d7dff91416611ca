import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CombinedWrites } from './combined-writes.ts';
import { nodeArbitrary, pathArbitrary, priorityArbitrary, treeArbitrary } from './node.arbitrary.ts';
import { replaceAt, replacePriorityAt, type TreeNode } from './node.ts';
import { exportJson } from './node-json.ts';
import { joinPaths, type Path, pathOf } from './path.ts';

/** Returns the writes whose paths are neither at nor above nor below those of earlier ones. */
function withoutConflicts<W extends { readonly path: Path }>(writes: readonly W[]): readonly W[] {
  const isPrefix = (a: Path, b: Path): boolean => a.every((key, index) => key === b[index]);
  return writes.filter(({ path }, index) =>
    writes.slice(0, index).every((earlier) => !isPrefix(earlier.path, path) && !isPrefix(path, earlier.path)),
  );
}

const places = fc.record({ path: pathArbitrary, node: nodeArbitrary, priority: priorityArbitrary });

test.each(['values', 'removals'])(
  '[T50] many %s below a node, and then priorities, have the same effect together as one after the other',
  (what) => {
    fc.assert(
      fc.property(treeArbitrary, pathArbitrary, fc.array(places, { maxLength: 8 }), (tree, base, list) => {
        const writes = withoutConflicts(list);
        const half = writes.length / 2;
        const combined = new CombinedWrites();
        let expected: TreeNode | null = tree;
        for (const { path, node } of writes.slice(0, half)) {
          const value = what === 'values' ? node : null;
          combined.writeNode(joinPaths(base, path), value, base.length);
          expected = replaceAt(expected, path, value);
        }
        for (const { path, priority } of writes.slice(half)) {
          combined.writePriority(joinPaths(base, path), priority, base.length);
          expected = replacePriorityAt(expected, path, priority);
        }
        const before = exportJson(tree);
        expect(exportJson(combined.applyTo(tree))).toBe(exportJson(expected));
        expect(exportJson(tree)).toBe(before);
      }),
      { numRuns: 500 },
    );
  },
);

test('[T50] a write at the node itself replaces it', () => {
  const combined = new CombinedWrites();
  combined.writeNode(pathOf([]), { kind: 'leaf', value: 1, priority: null }, 0);
  expect(exportJson(combined.applyTo(null))).toBe('1');
});
