import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareKeys, parseKey } from '../../tree/key.ts';
import { treeArbitrary } from '../../tree/node.arbitrary.ts';
import { nodeAt, type TreeNode } from '../../tree/node.ts';
import { parseNodeJson } from '../../tree/node-json.ts';
import { type IndexValue, indexValueOf } from '../../tree/order.ts';
import { MAX_DEPTH, type Path, pathOf } from '../../tree/path.ts';
import { pathsNear, pathsOf } from './proposed-writes.arbitrary.ts';
import type { RuleTree, RuleView } from './values.ts';

/**
 * Opens a view of a tree and passes it to `use`. The view is valid until `use` returns. For a tree in a store,
 * the view is read within one transaction.
 */
export type OpenView<View extends RuleView> = (tree: TreeNode | null, use: (view: View) => void) => void;

const cases = treeArbitrary.chain((tree) =>
  fc.tuple(fc.constant(tree), fc.array(pathsNear(tree), { maxLength: 5 })),
);

/** Declares the tests for a `RuleView`, through which rules read a tree. */
export function ruleViewContract(name: string, open: OpenView<RuleView>): void {
  describe(`rule view contract: ${name}`, () => {
    test('[R301] each path has the value and the priority of its node', () => {
      fc.assert(
        fc.property(cases, ([tree, others]) =>
          open(tree, (view) => {
            for (const path of [...pathsOf(tree), ...others]) {
              const node = nodeAt(tree, path);
              expect([path, asDouble(view.findValue(path))]).toEqual([path, asDouble(indexValueOf(node))]);
              expect([path, view.findPriority(path)]).toEqual([path, node?.priority ?? null]);
            }
          }),
        ),
        { numRuns: 100 },
      );
    });

    test('[R301] a path below a leaf, next to a node or in an empty tree has no data', () => {
      const deep = pathOf(Array.from({ length: MAX_DEPTH }, () => parseKey('a')));
      for (const json of ['null', '1', '{"a":1,".priority":2}', '{"a":{"b":{".value":1,".priority":3}}}'])
        open(parseNodeJson(json), (view) => {
          for (const path of [deep, pathOf(['a', 'b', 'c'].map(parseKey)), pathOf([parseKey('__proto__')])]) {
            expect(view.findValue(path)).toBeNull();
            expect(view.findPriority(path)).toBeNull();
          }
        });
    });

    test('[R301] repeated reads in any order return the same results', () => {
      fc.assert(
        fc.property(cases, ([tree, others]) =>
          open(tree, (view) => {
            const paths = [...pathsOf(tree), ...others];
            const read = (path: Path) => [view.findPriority(path), asDouble(view.findValue(path))];
            const forward = paths.map(read);
            expect(paths.toReversed().map(read)).toEqual(forward.toReversed());
          }),
        ),
        { numRuns: 30 },
      );
    });

    test('[R301] the caller may change a path after a call', () => {
      open(parseNodeJson('{"a":{"x":1},"b":{"x":{".value":2,".priority":3}}}'), (view) => {
        const keys = ['a', 'x'].map(parseKey);
        const path = pathOf(keys);
        expect(view.findValue(path)).toBe(1);
        expect(view.findPriority(path)).toBeNull();
        // `path` and `keys` are the same array.
        keys[0] = parseKey('b');
        expect(view.findValue(path)).toBe(2);
        expect(view.findPriority(path)).toBe(3);
        keys[0] = parseKey('a');
        expect(view.findValue(pathOf(['a', 'x'].map(parseKey)))).toBe(1);
      });
    });
  });
}

/** Declares the tests for a `RuleTree`. */
export function ruleTreeContract(name: string, open: OpenView<RuleTree>): void {
  ruleViewContract(name, open);

  describe(`rule tree contract: ${name}`, () => {
    test('[R301] the first keys of a node are its keys in order, at most as many as requested', () => {
      fc.assert(
        fc.property(cases, ([tree, others]) =>
          open(tree, (view) => {
            for (const path of [...pathsOf(tree), ...others]) {
              const keys = keysOf(nodeAt(tree, path));
              for (const limit of [keys.length + 2, keys.length, 2, 1, 0])
                expect([path, limit, view.firstKeys(path, limit)]).toEqual([
                  path,
                  limit,
                  keys.slice(0, limit),
                ]);
            }
          }),
        ),
        { numRuns: 100 },
      );
    });

    test('[R301] the keys that a caller receives do not change with later calls', () => {
      open(parseNodeJson('{"a":{"x":1},"b":{"y":2},"c":3}'), (view) => {
        const path = pathOf([]);
        const first = view.firstKeys(path, 2);
        expect(view.firstKeys(pathOf([parseKey('a')]), 2)).toEqual(['x']);
        expect(view.firstKeys(path, 3)).toEqual(['a', 'b', 'c']);
        expect(first).toEqual(['a', 'b']);
      });
    });
  });
}

function keysOf(node: TreeNode | null): readonly string[] {
  return node?.kind === 'inner' ? [...node.children.keys()].sort(compareKeys) : [];
}

/**
 * Returns a double for a bigint, and any other value unchanged. A view may return a bigint or a double, because rules
 * calculate with doubles.
 */
function asDouble(value: IndexValue): IndexValue {
  return typeof value === 'bigint' ? Number(value) : value;
}
