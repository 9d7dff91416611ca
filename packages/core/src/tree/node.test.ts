import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareKeys } from './key.ts';
import {
  keyArbitrary,
  nodeArbitrary,
  pathArbitrary,
  priorityArbitrary,
  treeArbitrary,
} from './node.arbitrary.ts';
import {
  innerNode,
  isEqualNode,
  leafNode,
  nodeAt,
  type Priority,
  replaceAt,
  replacePriorityAt,
  type Scalar,
  type TreeNode,
} from './node.ts';
import { exportJson, parseNodeJson } from './node-json.ts';
import { isAtOrAbove, type Path, parsePath, pathOf } from './path.ts';

test.each([
  ['{"a":1}', 'a', '2', '{"a":2}'],
  ['{"a":1}', '', '2', '2'],
  ['{"a":1}', '', 'null', 'null'],
  ['null', 'a/b/c', '1', '{"a":{"b":{"c":1}}}'],
  ['{"a":{"x":1,"y":2}}', 'a', '{"z":3}', '{"a":{"z":3}}'],
  ['{"a":{".value":1,".priority":5}}', 'a', '2', '{"a":2}'],
  ['{"a":{"b":1,".priority":5}}', 'a', '{"b":1}', '{"a":{"b":1}}'],
  ['{"a":{"b":1,".priority":5},".priority":6}', 'a/b', '2', '{"a":{"b":2,".priority":5},".priority":6}'],
  ['{"a":{"b":1,".priority":5}}', 'a/c', '2', '{"a":{"b":1,"c":2,".priority":5}}'],
  ['{"9":1,"a":1}', '10', '1', '{"9":1,"10":1,"a":1}'],
])('[T29] in %s, writing to "%s" the value %s gives %s', expectWritten);

test.each([
  ['1', 'a', '2', '{"a":2}'],
  ['{".value":1,".priority":5}', 'a', '2', '{"a":2,".priority":5}'],
  ['{".value":1,".priority":5}', 'a/b', '2', '{"a":{"b":2},".priority":5}'],
  ['{"x":{".value":1,".priority":"p"}}', 'x/a', '2', '{"x":{"a":2,".priority":"p"}}'],
])('[T30] in %s, writing to "%s" the value %s gives %s', expectWritten);

test.each([
  ['1', 'a', 'null', '1'],
  ['{".value":1,".priority":5}', 'a/b', 'null', '{".value":1,".priority":5}'],
  ['{"a":1}', 'a/b/c', 'null', '{"a":1}'],
  ['{"a":1}', 'b', 'null', '{"a":1}'],
  ['{"a":{"b":1}}', 'a/c/d', 'null', '{"a":{"b":1}}'],
  ['null', 'a', 'null', 'null'],
])('[T31] in %s, writing to "%s" the value %s gives %s', expectWritten);

test.each([
  ['{"a":1}', 'a', 'null', 'null'],
  ['{"a":{"b":{"c":1}}}', 'a/b/c', 'null', 'null'],
  ['{"a":{"b":{"c":1,".priority":1},".priority":2},".priority":3}', 'a/b/c', 'null', 'null'],
  ['{"a":{"b":1,".priority":2},"x":1,".priority":3}', 'a/b', 'null', '{"x":1,".priority":3}'],
  ['{"a":1,"b":2,".priority":3}', 'a', 'null', '{"b":2,".priority":3}'],
])('[T32] in %s, writing to "%s" the value %s gives %s', expectWritten);

function expectWritten(before: string, path: string, value: string, after: string): void {
  expect(exportJson(replaceAt(parseNodeJson(before), parsePath(path), parseNodeJson(value)))).toBe(after);
}

test.each<[string, string, Priority, string]>([
  ['null', '', 1, 'null'],
  ['{"a":1}', 'b', 1, '{"a":1}'],
  ['{"a":1}', 'a/b', 1, '{"a":1}'],
  ['{"a":1}', 'a', 1, '{"a":{".value":1,".priority":1}}'],
  ['{"a":1}', '', 'p', '{"a":1,".priority":"p"}'],
  ['{"a":{".value":1,".priority":1}}', 'a', null, '{"a":1}'],
])('[T33] in %s, setting the priority of %j to %j gives %s', (before, path, priority, after) => {
  expect(exportJson(replacePriorityAt(parseNodeJson(before), parsePath(path), priority))).toBe(after);
});

test('[T20] an object without children is null, with or without a priority', () => {
  expect(innerNode([])).toBe(null);
  expect(innerNode([], 1)).toBe(null);
});

test('[T10][T11][T12] children are in key order, even if they are given in another order', () => {
  fc.assert(
    fc.property(fc.array(keyArbitrary, { minLength: 1, maxLength: 12 }), (keys) => {
      const sorted = [...new Set(keys)].sort(compareKeys);
      const atOnce = innerNode(keys.map((key) => [key, leafNode(key)]));
      let oneByOne: TreeNode | null = null;
      for (const key of keys) oneByOne = replaceAt(oneByOne, pathOf([key]), leafNode(key));
      expect([...(atOnce?.children.keys() ?? [])]).toEqual(sorted);
      expect(exportJson(oneByOne)).toBe(exportJson(atOnce));
    }),
  );
});

test.each([
  ['1', '1', true],
  ['1', '"1"', false],
  ['1', '{".value":1,".priority":1}', false],
  ['1', 'null', false],
  ['{"a":1}', '{"a":1}', true],
  ['{"a":1}', '{"a":1,".priority":1}', false],
  ['{"a":1}', '{"a":2}', false],
  ['{"a":1}', '{"b":1}', false],
  ['{"a":1}', '{"a":1,"b":1}', false],
  ['{"a":1}', '1', false],
  ['9007199254740993', '9007199254740992', false],
])('[T3] %s equals %s: %s', (a, b, expected) => {
  expect(isEqualNode(parseNodeJson(a), parseNodeJson(b))).toBe(expected);
  expect(isEqualNode(parseNodeJson(b), parseNodeJson(a))).toBe(expected);
});

/** A tree as two flat maps from path text: one of leaf values, one of priorities. */
interface FlatTree {
  readonly leaves: Map<string, Scalar>;
  readonly priorities: Map<string, Priority>;
}

function flatten(node: TreeNode | null, at: Path, into: FlatTree): FlatTree {
  if (node === null) return into;
  if (node.priority !== null) into.priorities.set(at.join('/'), node.priority);
  if (node.kind === 'leaf') into.leaves.set(at.join('/'), node.value);
  else for (const [key, child] of node.children) flatten(child, pathOf([...at, key]), into);
  return into;
}

/** Writes a value to a flat tree. This is the reference model for writes. */
function writeFlat(tree: FlatTree, path: Path, value: TreeNode | null): void {
  const covers = (above: Path, text: string) => isAtOrAbove(above, parsePath(text));
  for (const map of [tree.leaves, tree.priorities])
    for (const text of [...map.keys()]) if (covers(path, text)) map.delete(text);
  if (value !== null)
    for (const text of [...tree.leaves.keys()])
      if (covers(parsePath(text), path.join('/'))) tree.leaves.delete(text);
  flatten(value, path, tree);
  for (const text of [...tree.priorities.keys()])
    if (![...tree.leaves.keys()].some((leaf) => covers(parsePath(text), leaf))) tree.priorities.delete(text);
}

test('[T29][T30][T31][T32] any writes have the same effect as on flat maps of leaves and priorities', () => {
  const write = fc.tuple(pathArbitrary, fc.option(nodeArbitrary, { freq: 2 }));
  fc.assert(
    fc.property(treeArbitrary, fc.array(write, { maxLength: 8 }), (start, writes) => {
      let tree = start;
      const flat = flatten(start, pathOf([]), { leaves: new Map(), priorities: new Map() });
      for (const [path, value] of writes) {
        const before = exportJson(tree);
        const next = replaceAt(tree, path, value);
        expect(exportJson(tree)).toBe(before);
        writeFlat(flat, path, value);
        tree = next;
        const now = flatten(tree, pathOf([]), { leaves: new Map(), priorities: new Map() });
        expect(toSorted(now)).toEqual(toSorted(flat));
        if (value !== null) expect(nodeAt(tree, path)).toBe(value);
      }
    }),
    { numRuns: 300 },
  );
});

function toSorted(tree: FlatTree): unknown {
  return [tree.leaves, tree.priorities].map((map) => [...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}

test('[T33] a priority is set only on an existing node, and nothing else changes', () => {
  fc.assert(
    fc.property(nodeArbitrary, pathArbitrary, priorityArbitrary, (tree, path, priority) => {
      const after = replacePriorityAt(tree, path, priority);
      if (nodeAt(tree, path) === null) expect(after).toBe(tree);
      else {
        expect(nodeAt(after, path)?.priority).toBe(priority);
        expect(isEqualNode(replacePriorityAt(after, path, nodeAt(tree, path)?.priority ?? null), tree)).toBe(
          true,
        );
      }
    }),
  );
});
