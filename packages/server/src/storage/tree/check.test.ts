import { parseKey } from '@hearth/core/tree/key.ts';
import { parseNodeJson } from '@hearth/core/tree/node-json.ts';
import { expect, test } from 'vitest';
import { childEntryKey, indexEntryKey, type NodeId, nodeKey } from '../kv/keys.ts';
import { MemoryStore } from '../kv/memory.ts';
import { encodeSortValue } from '../kv/sort-encoding.ts';
import { type KvWrite, prefixRange } from '../kv/store.ts';
import { checkTrees, KeySum, type NamedTree, type StoreCheck } from './check.ts';
import { decodeEntry } from './entry.ts';
import { addUnreferenced } from './garbage.ts';
import { allocateNodeId } from './stored-tree.ts';
import { writeNode } from './write.ts';

const EMPTY = Buffer.alloc(0);

const TEXT = JSON.stringify({
  list: Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`k${i}`, { '.priority': i, text: 'x'.repeat(60) }]),
  ),
});

/**
 * Checks a store with two trees after `damage` has changed it. `damage` receives the node of the first tree's
 * `list`.
 */
function checkAfter(damage: (tx: KvWrite, list: NodeId) => void): StoreCheck {
  const store = new MemoryStore();
  const trees = store.transact((tx) =>
    ['one', 'two'].map((name): NamedTree => {
      const tree = { holder: allocateNodeId(tx), indexesAt: () => [] };
      writeNode(tx, tree, [], parseNodeJson(TEXT));
      return { name, tree };
    }),
  );
  return store.transact((tx) => {
    const [first] = trees;
    const root = tx.find('tree', nodeKey(first?.tree.holder ?? 0)) ?? Buffer.alloc(0);
    damage(tx, referredNode(tx, referredNode(tx, undefined, root), undefined));
    const steps = checkTrees(tx, trees);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  });
}

/** Returns the node to which an entry, or the first entry of a node, refers. */
function referredNode(tx: KvWrite, node: NodeId | undefined, bytes: Buffer | undefined): NodeId {
  const value = bytes ?? [...tx.scan('tree', prefixRange(nodeKey(node ?? 0)))][0]?.value;
  const entry = value === undefined ? undefined : decodeEntry(value);
  if (entry?.kind !== 'reference') throw new Error('not a reference');
  return entry.node;
}

function firstKey(tx: KvWrite, table: 'tree' | 'index', node: NodeId): Buffer {
  for (const { key } of tx.scan(table, prefixRange(nodeKey(node))))
    if (table === 'tree' || key.length > 10) return key;
  throw new Error('no entry');
}

test('[H187] no problem is found in several trees of one store, and unreferenced entries are counted', () => {
  const check = checkAfter((tx) => {
    const node = allocateNodeId(tx);
    addUnreferenced(tx, node);
    tx.put('tree', Buffer.concat([nodeKey(node), Buffer.from('a')]), Buffer.from([0, 0x31]));
  });
  expect(check).toEqual({ problems: [], entries: 247, garbage: { entries: 1, bytes: 9 } });
});

test.each<[string, (tx: KvWrite, list: NodeId) => void, RegExp]>([
  [
    'an entry that belongs to no node',
    (tx) => tx.put('tree', Buffer.from([1, 2, 3, 4, 5, 6, 7]), Buffer.from([0, 0x31])),
    /^entries of the table tree that belong to no node: 1$/,
  ],
  [
    'a missing index entry',
    (tx, list) => void tx.remove('index', firstKey(tx, 'index', list)),
    /^index \.priority of one\/list has 59 entries instead of 60$/,
  ],
  [
    'an entry of an index that is not declared',
    (tx, list) =>
      tx.put('index', indexEntryKey(childEntryKey(list, parseKey('k0')), 77, encodeSortValue(null)), EMPTY),
    /^one\/list has entries of index 77, which is not declared and is not being removed$/,
  ],
  [
    'truncated text',
    (tx, list) => tx.put('tree', firstKey(tx, 'tree', list), Buffer.from([0, 0x7b])),
    /^one\/list\/k0 cannot be read: /,
  ],
  [
    'a node without children',
    (tx, list) => {
      for (const { key } of [...tx.scan('tree', prefixRange(nodeKey(list)))]) tx.remove('tree', key);
    },
    /^one\/list has no children$/,
  ],
  [
    'a node with two parents',
    (tx, list) => {
      for (const { key, value } of [...tx.scan('tree', {})])
        if (key.length > 6 && value[0] === 1 && !key.subarray(0, 6).equals(nodeKey(list)))
          tx.put('tree', key, Buffer.concat([Buffer.from([1]), nodeKey(list)]));
    },
    /belong to (several|no node)/,
  ],
  [
    'a node that is its own child',
    (tx, list) => {
      const key = firstKey(tx, 'tree', list);
      tx.put('tree', key, Buffer.concat([Buffer.from([1]), nodeKey(list)]));
    },
    /nested deeper than the limit allows/,
  ],
])('[H187][K125] %s is found', (_name, damage, problem) => {
  expect(checkAfter(damage).problems).toContainEqual(expect.stringMatching(problem));
});

test('sums of keys differ if a key is missing, changed, or occurs twice', () => {
  const sum = (...keys: readonly string[]): KeySum => {
    const result = new KeySum();
    for (const key of keys) result.add(Buffer.from(key));
    return result;
  };
  expect(sum('a', 'b').equals(sum('b', 'a'))).toBe(true);
  for (const other of [sum('a'), sum('a', 'c'), sum('a', 'a'), sum('ab', '')])
    expect(sum('a', 'b').equals(other)).toBe(false);
});
