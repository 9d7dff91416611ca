import type { QueryIndex } from '@hearth/core/query/query.ts';
import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { innerNode, leafNode, type TreeNode } from '@hearth/core/tree/node.ts';
import { expect, test } from 'vitest';
import { MemoryStore } from '../kv/memory.ts';
import type { KvStore } from '../kv/store.ts';
import { checkStore } from './check.ts';
import { indexStep } from './index-build.ts';
import { changeIndexCatalog, type Declaration, indexesByPath, readIndexCatalog } from './index-catalog.ts';
import { planQuery } from './query.ts';
import { allocateNodeId, type StoredTree } from './stored-tree.ts';
import { writeNode } from './write.ts';

const BY_N: QueryIndex = { kind: 'child', path: [parseKey('n')] };
const BY_VALUE: QueryIndex = { kind: 'value' };
const ROOM = [parseKey('rooms'), parseKey('r1')];

test.each<readonly [string, readonly Declaration[], readonly string[], number]>([
  ['a literal path', [{ pattern: ['rooms', 'r1'], indexes: [BY_N] }], ['rooms', 'r1'], 1],
  ['a wildcard', [{ pattern: ['rooms', null], indexes: [BY_N, BY_VALUE] }], ['rooms', 'r9'], 2],
  ['no path above it', [{ pattern: ['rooms', null], indexes: [BY_N] }], ['rooms'], 0],
  ['no path below it', [{ pattern: ['rooms', null], indexes: [BY_N] }], ['rooms', 'r1', 'x'], 0],
  ['the root', [{ pattern: [], indexes: [BY_N] }], [], 1],
  [
    'no wildcard that a literal key shadows',
    [
      { pattern: ['rooms', null], indexes: [BY_N] },
      { pattern: ['rooms', 'r1'], indexes: [] },
    ],
    ['rooms', 'r1'],
    0,
  ],
  [
    'no wildcard once the literal key was followed',
    [
      { pattern: [null, 'x'], indexes: [BY_N] },
      { pattern: ['rooms', 'y'], indexes: [] },
    ],
    ['rooms', 'x'],
    0,
  ],
])('[K40] declared indexes apply to %s', (_name, declared, path, expected) => {
  using store = new MemoryStore();
  const catalog = store.transact((tx) => changeIndexCatalog(tx, 1, declared));
  expect(indexesByPath(catalog)(path.map(parseKey))).toHaveLength(expected);
  expect(store.read((tx) => readIndexCatalog(tx, 1))).toEqual(catalog);
});

test('[K40] an index is not built where a literal key shadows its wildcard', () => {
  using store = new MemoryStore();
  const holder = store.transact(allocateNodeId);
  store.transact((tx) => void writeNode(tx, { holder, indexesAt: () => [] }, ROOM, room(100)));
  store.transact((tx) => {
    changeIndexCatalog(tx, holder, [
      { pattern: ['rooms', null], indexes: [BY_N] },
      { pattern: ['rooms', 'r1'], indexes: [] },
    ]);
    expect(indexStep(tx, 1000)).toBeLessThan(1000);
  });
  expect(entries(store)).toBe(0);
});

test('[K41] an index that stays declared keeps its id; one that is removed and declared again gets another', () => {
  using store = new MemoryStore();
  const idsOf = (indexes: readonly QueryIndex[]): readonly number[] =>
    store
      .transact((tx) => changeIndexCatalog(tx, 1, [{ pattern: ['rooms', null], indexes }]))
      .flatMap((entry) => entry.indexes.map(({ id }) => id));
  const [byN] = idsOf([BY_N]);
  const [byValue, stillByN] = idsOf([BY_VALUE, BY_N]);
  expect(stillByN).toBe(byN);
  expect(idsOf([BY_VALUE])).toEqual([byValue]);
  expect(idsOf([BY_N])).not.toContain(byN);
});

test('[K41] an index gets another id when its wildcard becomes shadowed, or is no longer shadowed', () => {
  using store = new MemoryStore();
  const wildcard: Declaration = { pattern: ['rooms', null], indexes: [BY_N] };
  const idWith = (...others: readonly Declaration[]): number | undefined =>
    store.transact((tx) => changeIndexCatalog(tx, 1, [wildcard, ...others]))[0]?.indexes[0]?.id;
  const first = idWith();
  expect(idWith({ pattern: ['users', null], indexes: [BY_N] })).toBe(first);
  const shadowed = idWith({ pattern: ['rooms', 'r1'], indexes: [] });
  expect(shadowed).not.toBe(first);
  expect(idWith()).not.toBe(shadowed);
});

test('[K42] an index of existing data is built in bounded steps, is exact during writes, and is used once complete', () => {
  using store = new MemoryStore();
  let tree: StoredTree = { holder: store.transact(allocateNodeId), indexesAt: () => [] };
  store.transact((tx) => void writeNode(tx, tree, ROOM, room(1000)));
  const catalog = store.transact((tx) =>
    changeIndexCatalog(tx, tree.holder, [{ pattern: ['rooms', null], indexes: [BY_N] }]),
  );
  tree = { holder: tree.holder, indexesAt: indexesByPath(catalog) };
  expect(planKind(store, tree)).toBe('scan');
  let written = 0;
  while (store.transact((tx) => indexStep(tx, 30)) >= 30) {
    for (const index of [written, 999 - written]) {
      const path = [...ROOM, keyAt(index), parseKey('n')];
      store.transact((tx) => void writeNode(tx, tree, path, leafNode(-index)));
    }
    store.transact((tx) => void writeNode(tx, tree, [...ROOM, keyAt(500 + written)], null));
    written += 1;
    expect(store.read((tx) => checkStore(tx, tree))).toEqual([]);
  }
  expect(written).toBeGreaterThan(20);
  expect(planKind(store, tree)).toBe('index');
});

test('[K43] an index that is no longer declared is removed in bounded steps', () => {
  using store = new MemoryStore();
  const holder = store.transact(allocateNodeId);
  const declared = [{ pattern: ['rooms', null], indexes: [BY_N] }];
  const catalog = store.transact((tx) => changeIndexCatalog(tx, holder, declared));
  const tree = { holder, indexesAt: indexesByPath(catalog) };
  while (store.transact((tx) => indexStep(tx, 30)) >= 30);
  store.transact((tx) => void writeNode(tx, tree, ROOM, room(1000)));
  expect(entries(store)).toBe(1001);
  store.transact((tx) => void changeIndexCatalog(tx, holder, []));
  for (let before = entries(store); ; ) {
    const done = store.transact((tx) => indexStep(tx, 100));
    expect(before - entries(store)).toBeLessThanOrEqual(100);
    before = entries(store);
    if (done < 100) break;
  }
  expect(entries(store)).toBe(0);
});

test('[K44] the priority index starts with the first priority, immediately in a small node and in steps in a large one', () => {
  for (const [size, kind] of [
    [500, 'index'],
    [2000, 'scan'],
  ] as const) {
    using store = new MemoryStore();
    const tree: StoredTree = { holder: store.transact(allocateNodeId), indexesAt: () => [] };
    store.transact((tx) => void writeNode(tx, tree, ROOM, room(size)));
    expect(planKind(store, tree, { kind: 'priority' })).toBe('keys');
    store.transact((tx) => void writeNode(tx, tree, [...ROOM, keyAt(3)], leafNode(true, 1)));
    expect(planKind(store, tree, { kind: 'priority' })).toBe(kind);
    while (store.transact((tx) => indexStep(tx, 100)) >= 100);
    expect(planKind(store, tree, { kind: 'priority' })).toBe('index');
    expect(store.read((tx) => checkStore(tx, tree))).toEqual([]);
  }
});

function planKind(store: KvStore, tree: StoredTree, index: QueryIndex = BY_N): string {
  const query = { index, lower: null, upper: null, limit: 1, from: 'left' } as const;
  return store.read((tx) => planQuery(tx, tree, ROOM, query).kind);
}

function room(size: number): TreeNode | null {
  return innerNode(
    Array.from({ length: size }, (_, index): [Key, TreeNode | null] => [
      keyAt(index),
      innerNode([[parseKey('n'), leafNode(index)]]),
    ]).filter((entry): entry is [Key, TreeNode] => entry[1] !== null),
  );
}

function keyAt(index: number): Key {
  return parseKey(`k${String(index).padStart(6, '0')}`);
}

function entries(store: KvStore): number {
  return store.read((tx) => [...tx.scan('index', {})].length);
}
