import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { innerNode, leafNode, nodeAt, type TreeNode } from '@hearth/core/tree/node.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChildPage, type PagePosition, readChildPage } from './child-page.ts';
import { countingAccess } from './counting-access.fixture.ts';
import { MAX_BLOB_BYTES } from './entry.ts';
import { historyKeys, historyPaths, spreadNodes } from './history.arbitrary.ts';
import { MAX_PREVIEW_UNITS } from './node-summary.ts';
import { longList, object, type StoredNode, storeNode } from './stored-node.fixture.ts';

function page(
  { store, tree }: StoredNode,
  path: readonly Key[],
  position: PagePosition,
  limit: number,
): ChildPage {
  return store.read((tx) => readChildPage(tx, tree, path, position, limit));
}

function keysOf({ children }: ChildPage): readonly Key[] {
  return children.map(({ key }) => key);
}

/** Reads all keys, page by page. */
function walk(
  stored: StoredNode,
  path: readonly Key[],
  start: 'first' | 'last',
  limit: number,
): readonly Key[] {
  const keys: Key[] = [];
  let position: PagePosition = { kind: start };
  for (;;) {
    const found = page(stored, path, position, limit);
    if (start === 'first') keys.push(...keysOf(found));
    else keys.unshift(...keysOf(found));
    const key = start === 'first' ? found.next : found.previous;
    if (key === null) return keys;
    position = { kind: start === 'first' ? 'after' : 'before', key };
  }
}

test('[K150] the pages in either direction contain all children', () => {
  fc.assert(
    fc.property(spreadNodes, historyPaths, fc.integer({ min: 1, max: 4 }), (node, path, limit) => {
      const stored = storeNode(node);
      const here = nodeAt(node, path);
      const expected = here?.kind === 'inner' ? [...here.children.keys()] : [];
      expect(walk(stored, path, 'first', limit)).toEqual(expected);
      expect(walk(stored, path, 'last', limit)).toEqual(expected);
    }),
  );
});

test('[K150] a page at a key has the neighbors of this key, whether or not the key exists', () => {
  fc.assert(
    fc.property(spreadNodes, historyKeys, fc.integer({ min: 1, max: 3 }), (node, key, limit) => {
      const stored = storeNode(node);
      const all = node.kind === 'inner' ? [...node.children.keys()] : [];
      const before = keysOf(page(stored, [], { kind: 'before', key }, 100));
      const from = keysOf(page(stored, [], { kind: 'from', key }, 100));
      const after = keysOf(page(stored, [], { kind: 'after', key }, 100));
      expect([...before, ...from]).toEqual(all);
      expect(after).toEqual(from.filter((other) => other !== key));
      const part = page(stored, [], { kind: 'from', key }, limit);
      expect(keysOf(part)).toEqual(from.slice(0, limit));
      expect(part.next).toBe(from.length > limit ? from[limit - 1] : null);
      expect(part.previous).toBe(before.length > 0 && from.length > 0 ? from[0] : null);
    }),
  );
});

test('[K150] a page describes the node and each child', () => {
  const stored = storeNode(
    object({
      big: longList(65),
      leaf: leafNode(9007199254740993n, 'p'),
      small: innerNode([[parseKey('a'), leafNode(1)]], 3) ?? leafNode(true),
      text: leafNode('hello'),
    }),
  );
  expect(page(stored, [], { kind: 'first' }, 10)).toEqual({
    node: { kind: 'object', childCount: 4, isCountPartial: false, preview: null, priority: null },
    children: [
      {
        key: 'big',
        node: { kind: 'object', childCount: 65, isCountPartial: false, preview: null, priority: null },
      },
      { key: 'leaf', node: { kind: 'leaf', value: 9007199254740993n, isCut: false, priority: 'p' } },
      {
        key: 'small',
        node: {
          kind: 'object',
          childCount: 1,
          isCountPartial: false,
          preview: '{"a":1,".priority":3}',
          priority: 3,
        },
      },
      { key: 'text', node: { kind: 'leaf', value: 'hello', isCut: false, priority: null } },
    ],
    previous: null,
    next: null,
  });
  expect(page(stored, [parseKey('text')], { kind: 'first' }, 10)).toEqual({
    node: { kind: 'leaf', value: 'hello', isCut: false, priority: null },
    children: [],
    previous: null,
    next: null,
  });
  expect(page(stored, [parseKey('none')], { kind: 'last' }, 10).node).toBeNull();
});

test.each([
  ['é'.repeat(300), `{"a":"${'é'.repeat(194)}`],
  ['🔥'.repeat(150), `{"a":"${'🔥'.repeat(97)}`],
  [`x${'🔥'.repeat(150)}`, `{"a":"x${'🔥'.repeat(96)}`],
])(
  '[K150] the preview of a small object has up to 200 code units, and no half of a surrogate pair: %s',
  (value, preview) => {
    const item = object({ a: leafNode(value) });
    const stored = storeNode(object({ item, long: longList(300) }));
    const alone = page(stored, [], { kind: 'first' }, 1).children[0]?.node;
    expect(alone).toMatchObject({ kind: 'object', preview });
    const inside = page(
      storeNode(object({ outer: object({ item }) })),
      [parseKey('outer')],
      { kind: 'first' },
      1,
    );
    expect(inside.children[0]?.node).toMatchObject({ kind: 'object', preview });
  },
);

test('[K151] the cost of a page does not depend on the number of children', () => {
  const cost = (count: number): number => {
    const { store, tree } = storeNode(longList(count));
    const access = { reads: 0, writes: 0 };
    const position: PagePosition = { kind: 'after', key: parseKey('k0040') };
    store.transact((tx) => void readChildPage(countingAccess(tx, access), tree, [], position, 20));
    return access.reads;
  };
  expect(cost(5_000)).toBe(cost(1_100));
});

/** Returns, for each child of a page, the number of its counted children, with a `+` if it has more. */
function countsOf({ children }: ChildPage): readonly string[] {
  return children.map(({ node }) =>
    node.kind === 'object' ? `${node.childCount}${node.isCountPartial ? '+' : ''}` : '',
  );
}

test('[K151] up to 1,000 children of a child are counted', () => {
  const stored = storeNode(object({ a: longList(999), b: longList(1_000), c: longList(1_001) }));
  expect(countsOf(page(stored, [], { kind: 'first' }, 10))).toEqual(['999', '1000', '1000+']);
});

test('[K151] once 10,000 children are counted for a page, at most 64 of each further child are counted', () => {
  const sizes = [...Array.from({ length: 9 }, () => 1_100), 950, 51, 60, 64, 65, 500];
  const lists = sizes.map((size, index): [Key, TreeNode] => [parseKey(`l${100 + index}`), longList(size)]);
  const counts = countsOf(page(storeNode(innerNode(lists)), [], { kind: 'first' }, 100));
  // The node itself has 15 children, so 35 of the 10,000 are left before the child with 51.
  expect(counts.slice(8)).toEqual(['1000+', '950', '51', '60', '64', '64+', '64+']);
});

test('[H205] previews are as long as requested, and complete with the largest length', () => {
  const text = 'x'.repeat(1_800);
  const { store, tree } = storeNode(object({ a: object({ text: leafNode(text) }), b: longList(2) }));
  const preview = (units?: number) => {
    const { children } = store.read((tx) => readChildPage(tx, tree, [], { kind: 'first' }, 1, units));
    const [first] = children;
    return first?.node.kind === 'object' ? first.node.preview : undefined;
  };
  const whole = JSON.stringify({ text });
  expect(preview()).toBe(whole.slice(0, 200));
  expect(preview(1_000)).toBe(whole.slice(0, 1_000));
  expect(preview(MAX_PREVIEW_UNITS)).toBe(whole);
  // No text that is stored in one entry is longer.
  expect(MAX_BLOB_BYTES).toBeLessThan(MAX_PREVIEW_UNITS);
});

test('[K151] long strings make a page shorter', () => {
  const texts = Array.from({ length: 5 }, (_, index): [Key, TreeNode] => [
    parseKey(`t${index}`),
    leafNode('x'.repeat(900_000)),
  ]);
  const stored = storeNode(innerNode(texts));
  const first = page(stored, [], { kind: 'first' }, 100);
  expect(keysOf(first)).toEqual(['t0', 't1', 't2']);
  expect(first.next).toBe('t2');
  expect(keysOf(page(stored, [], { kind: 'last' }, 100))).toEqual(['t2', 't3', 't4']);
});

test.each([
  ['x'.repeat(1024), 'x'.repeat(1024), false],
  ['x'.repeat(1025), 'x'.repeat(1024), true],
  ['🔥'.repeat(512), '🔥'.repeat(512), false],
  [`x${'🔥'.repeat(512)}`, `x${'🔥'.repeat(511)}`, true],
  [`x${'🔥'.repeat(5000)}`, `x${'🔥'.repeat(511)}`, true],
  ['\u0001'.repeat(1025), '\u0001'.repeat(1024), true],
  ['"\\'.repeat(10_000), '"\\'.repeat(512), true],
  ['\ud83d'.repeat(2000), '\ud83d'.repeat(1023), true],
])('[K152] a string is cut after 1,024 code units: %#', (text, shown, isCut) => {
  for (const node of [leafNode(text), leafNode(text, 1)]) {
    const stored = storeNode(object({ a: node, b: longList(2) }));
    const { children } = page(stored, [], { kind: 'first' }, 1);
    expect(children[0]?.node).toEqual({ kind: 'leaf', value: shown, isCut, priority: node.priority });
  }
});
