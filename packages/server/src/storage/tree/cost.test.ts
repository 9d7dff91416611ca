import { MAX_KEY, MIN_KEY, type Query, type QueryIndex } from '@hearth/core/query/query.ts';
import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { innerNode, leafNode, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../kv/memory.ts';
import type { KvStore, KvWrite } from '../kv/store.ts';
import { type AccessCount, countingAccess } from './counting-access.fixture.ts';
import { reclaimStep } from './garbage.ts';
import { changeIndexCatalog, indexesByPath } from './index-catalog.ts';
import { planQuery, runQuery } from './query.ts';
import { findNode, readChildren, readIndexValue } from './read.ts';
import { allocateNodeId, type StoredTree } from './stored-tree.ts';
import { writeNode, writeNodes } from './write.ts';

const ROOMS = [parseKey('rooms'), parseKey('lobby')];
const TS: QueryIndex = { kind: 'child', path: [parseKey('ts')] };

describe('a node of many children', () => {
  test.each([
    ['the last 50 by key', { index: { kind: 'key' }, from: 'right' }],
    ['the first 50 by key', { index: { kind: 'key' }, from: 'left' }],
    ['the last 50 by priority', { index: { kind: 'priority' }, from: 'right' }],
    ['the last 50 by an indexed child', { index: TS, from: 'right' }],
    ['the first 50 by an indexed child', { index: TS, from: 'left' }],
    ['50 from the middle by an indexed child', { index: TS, from: 'left', lower: middle(5000) }],
    ['50 from the middle by key', { index: { kind: 'key' }, from: 'left', lower: middle(null, keyAt(5000)) }],
  ] as const)('[K30] the cost of reading %s depends on the window, not on the node', (_name, part) => {
    const query: Query = { lower: null, upper: null, limit: 50, ...part };
    const { store, tree } = roomOf(10_000);
    const count = counted(store, (tx) => {
      expect([...runQuery(tx, tree, ROOMS, query)]).toHaveLength(50);
    });
    expect(count.reads).toBeLessThan(120);
  });

  test('[K30] without an index, the plan is a scan that reads every child once', () => {
    const { store, tree } = roomOf(1000);
    const query: Query = { index: { kind: 'value' }, lower: null, upper: null, limit: 5, from: 'right' };
    expect(store.read((tx) => planQuery(tx, tree, ROOMS, query).kind)).toBe('scan');
    const count = counted(store, (tx) => void [...runQuery(tx, tree, ROOMS, query)]);
    expect(count.reads).toBeLessThan(1020);
  });

  test('[K31] the cost of a page of children does not depend on the number of children', () => {
    const { store, tree } = roomOf(10_000);
    const count = counted(store, (tx) => {
      let seen = 0;
      for (const _child of readChildren(tx, tree, ROOMS, { from: keyAt(4000) })) if (++seen === 20) return;
    });
    expect(count.reads).toBeLessThan(30);
  });

  test.each([leafNode(2), null])(
    '[K174] an update of many children of a small node writes one entry: %j',
    (node) => {
      const { store, tree } = roomOf(20);
      const writes = Array.from({ length: 20 }, (_, index) => ({
        path: [...ROOMS, keyAt(index), parseKey('ts')],
        node,
        json: exportJson(node),
      }));
      const count = counted(store, (tx) => expect(writeNodes(tx, tree, writes)).toHaveLength(20));
      expect(count.writes).toBe(1);
    },
  );

  test('[K32] replacing and removing a node cost the same at any size, and ids are not reused', () => {
    const writesFor = (size: number, node: TreeNode | null): number => {
      const { store, tree } = roomOf(size);
      const count = counted(store, (tx) => void writeNode(tx, tree, ROOMS, node));
      expect(store.read((tx) => readIndexValue(tx, tree, ROOMS))).toBe(node === null ? null : true);
      return count.writes + count.reads;
    };
    for (const node of [null, leafNode(true)]) {
      expect(writesFor(100_000, node)).toBe(writesFor(100, node));
      expect(writesFor(100, node)).toBeLessThan(15);
    }
    const { store, tree } = roomOf(100);
    const before = store.transact(allocateNodeId);
    store.transact((tx) => void writeNode(tx, tree, ROOMS, null));
    store.transact((tx) => void reclaimStep(tx, 10_000));
    store.transact((tx) => void writeNode(tx, tree, ROOMS, roomNode(100)));
    expect(store.transact(allocateNodeId)).toBeGreaterThan(before + 1);
  });

  test('[K33] unlinked data is removed completely, in bounded steps', () => {
    const { store, tree } = roomOf(5000);
    store.transact((tx) => void writeNode(tx, tree, [], null));
    for (let steps = 0; ; steps += 1) {
      const before = entryCount(store);
      const removed = store.transact((tx) => reclaimStep(tx, 700));
      expect(before - entryCount(store)).toBeLessThanOrEqual(700);
      if (removed < 700) break;
      expect(steps).toBeLessThan(100);
    }
    expect(entryCount(store)).toBe(0);
  });

  test('[K34] writing one field of one child costs a few entries', () => {
    const { store, tree } = roomOf(10_000);
    const path = [...ROOMS, keyAt(77), parseKey('ts')];
    const count = counted(store, (tx) => void writeNode(tx, tree, path, leafNode(-5)));
    expect(count.writes).toBe(3);
    expect(count.reads).toBeLessThan(10);
    expect(firstByTs(store, tree)).toBe(keyAt(77));
  });
});

describe('the number of entries', () => {
  test.each([
    ['a chat message', 1, message(1)],
    ['a long string', 1, leafNode('x'.repeat(100_000))],
    ['an object of 40 short fields', 1, fields(40, 10)],
    ['an object of 40 longer fields', 41, fields(40, 100)],
    ['a list of 3 long strings', 4, fields(3, 5000)],
  ] as const)('[K35] the number of entries for %s is %d', (_name, expected, node) => {
    using store = new MemoryStore();
    const tree = newTree(store);
    store.transact((tx) => void writeNode(tx, tree, [], node));
    expect(store.read((tx) => [...tx.scan('tree', {})].length)).toBe(expected);
    expect(store.read((tx) => findNode(tx, tree, []))).toEqual(node);
  });

  test('[K35] a node that grows is split, and keeps its priority', () => {
    using store = new MemoryStore();
    const tree = newTree(store);
    store.transact(
      (tx) => void writeNode(tx, tree, [parseKey('a')], innerNode([[parseKey('b'), leafNode(1)]], 'p')),
    );
    for (let index = 0; index < 100; index += 1)
      store.transact((tx) => void writeNode(tx, tree, [parseKey('a'), keyAt(index)], message(index)));
    expect(store.read((tx) => [...tx.scan('tree', {})].length)).toBeGreaterThan(100);
    expect(store.read((tx) => findNode(tx, tree, [parseKey('a')])?.priority)).toBe('p');
  });

  test('[K36] 32 levels of keys of 768 bytes are stored', () => {
    using store = new MemoryStore();
    const tree = newTree(store);
    const path = Array.from({ length: 32 }, (_, level) => parseKey(`${'🔥'.repeat(191)}${level}`));
    store.transact((tx) => void writeNode(tx, tree, path, leafNode('deep')));
    store.transact((tx) => void writeNode(tx, tree, [...path.slice(0, 31), parseKey('other')], leafNode(2)));
    expect(store.read((tx) => readIndexValue(tx, tree, path))).toBe('deep');
  });
});

function newTree(store: KvStore): StoredTree {
  return { holder: store.transact(allocateNodeId), indexesAt: () => [] };
}

/** Creates a database with one room of `size` messages, indexed by time. */
function roomOf(size: number): { readonly store: KvStore; readonly tree: StoredTree } {
  const store = new MemoryStore();
  const holder = store.transact(allocateNodeId);
  const catalog = store.transact((tx) =>
    changeIndexCatalog(tx, holder, [{ pattern: ['rooms', null], indexes: [TS] }]),
  );
  const tree = { holder, indexesAt: indexesByPath(catalog) };
  // The room is the only one in its tree, so removing it also removes its parent.
  store.transact((tx) => void writeNode(tx, tree, ROOMS, roomNode(size)));
  return { store, tree };
}

function roomNode(size: number): TreeNode | null {
  return innerNode(
    Array.from({ length: size }, (_, index): [Key, TreeNode] => [keyAt(index), message(index)]),
  );
}

function message(index: number): TreeNode {
  const node = innerNode([
    [parseKey('text'), leafNode(`message ${index}`)],
    [parseKey('ts'), leafNode(index)],
  ]);
  return node ?? leafNode(true);
}

function fields(count: number, length: number): TreeNode {
  const entries = Array.from({ length: count }, (_, index): [Key, TreeNode] => [
    keyAt(index),
    leafNode('x'.repeat(length)),
  ]);
  return innerNode(entries) ?? leafNode(true);
}

function keyAt(index: number): Key {
  return parseKey(`-N${String(index).padStart(8, '0')}`);
}

function middle(value: number | null, key: string = MIN_KEY): Query['lower'] {
  return { value, key, isInclusive: key !== MAX_KEY };
}

function firstByTs(store: KvStore, tree: StoredTree): string | undefined {
  const query: Query = { index: TS, lower: null, upper: null, limit: 1, from: 'left' };
  return store.read((tx) => [...runQuery(tx, tree, ROOMS, query)].map(({ entry }) => entry.key))[0];
}

function counted(store: KvStore, body: (tx: KvWrite) => void): AccessCount {
  const count: AccessCount = { reads: 0, writes: 0 };
  store.transact((tx) => body(countingAccess(tx, count)));
  return count;
}

function entryCount(store: KvStore): number {
  return store.read((tx) => [...tx.scan('tree', {}), ...tx.scan('index', {})].length);
}
