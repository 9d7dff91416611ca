import { must } from '@hearth/core/error/assert.ts';
import { parseKey } from '@hearth/core/tree/key.ts';
import { isEqualNode, leafNode, type TreeNode } from '@hearth/core/tree/node.ts';
import { expect, test } from 'vitest';
import type { KvRead } from '../kv/store.ts';
import { storedNode } from './read.ts';
import { longList, object, storeNode } from './stored-node.fixture.ts';
import { locate } from './stored-tree.ts';

const NODE = object({ list: longList(20), more: object({ short: leafNode(1), list: longList(3, 'o') }) });

/** Calls `use` with the node as it is read from a store that counts its point reads. */
function withStored(node: TreeNode, use: (stored: TreeNode, countReads: () => number) => void): void {
  const { store, tree } = storeNode(node);
  store.read((tx) => {
    let reads = 0;
    const counting: KvRead = {
      find: (table, key) => {
        reads += 1;
        return tx.find(table, key);
      },
      scan: (table, range) => tx.scan(table, range),
      count: (table, range, limit) => tx.count(table, range, limit),
    };
    const entry = must(locate(tx, tree, []).entry, 'the tree is stored');
    use(storedNode(counting, entry), () => reads);
  });
}

test('[R236] a stored node reads like the node in memory', () =>
  withStored(NODE, (stored) => {
    expect(isEqualNode(stored, NODE)).toBe(true);
    expect(isEqualNode(NODE, stored)).toBe(true);
  }));

test.each([
  [
    'forEach',
    (children: ReadonlyMap<string, TreeNode>) => {
      const keys: string[] = [];
      children.forEach((_child, key) => {
        keys.push(key);
      });
      return keys;
    },
  ],
  ['keys', (children: ReadonlyMap<string, TreeNode>) => [...children.keys()]],
  ['entries', (children: ReadonlyMap<string, TreeNode>) => [...children.entries()].map(([key]) => key)],
  [
    'values',
    (children: ReadonlyMap<string, TreeNode>) =>
      [...children.values()].map((child) => (child.kind === 'leaf' ? String(child.value).slice(8, 13) : '')),
  ],
] as const)('[R236] %s of a stored node are those of the node in memory', (_name, read) => {
  const list = longList(5);
  withStored(list, (stored) => {
    if (stored.kind !== 'inner' || list.kind !== 'inner') expect.unreachable();
    expect(read(stored.children)).toEqual(read(list.children));
    expect(stored.children.size).toBe(5);
  });
});

test('[R236] a child of a stored node is read when it is needed, and not again for the next rule', () =>
  withStored(longList(20), (stored, countReads) => {
    if (stored.kind !== 'inner') expect.unreachable();
    const { children } = stored;
    expect(countReads()).toBe(0);
    expect(children.has(parseKey('k0007'))).toBe(true);
    expect(children.get(parseKey('k0007'))).toEqual(children.get(parseKey('k0007')));
    expect(countReads()).toBe(1);
    expect(children.get(parseKey('none'))).toBeUndefined();
    expect(countReads()).toBe(2);
  }));
