import { childIndexValue, indexName } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import {
  decodeIndexId,
  decodeNodeId,
  INDEX_VALUE_OFFSET,
  type IndexId,
  indexEntryKey,
  type NodeId,
  nodeKey,
} from '../kv/keys.ts';
import { encodeSortValue } from '../kv/sort-value.ts';
import { type KvRead, prefixRange } from '../kv/store.ts';
import { decodeEntry, type StoredEntry } from './entry.ts';
import { isIndexed, PRIORITY_INDEX, readIndexState } from './index-state.ts';
import { readEntryNode, scanChildEntries } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

/**
 * Problems of a store that holds one tree: entries that nothing refers to, inner nodes without children, index entries that
 * differ from what the children say. Empty when it is sound. For tests and for looking into a damaged store.
 */
export function checkStore(tx: KvRead, tree: StoredTree): readonly string[] {
  const problems: string[] = [];
  const reachable = new Set<NodeId>([tree.holder]);
  const root = tx.find('tree', nodeKey(tree.holder));
  if (root !== undefined) checkEntry(tx, tree, [], decodeEntry(root), reachable, problems);
  for (const { key } of tx.scan('garbage', {})) markGarbage(tx, decodeNodeId(key), reachable, problems);
  for (const table of ['tree', 'index', 'build'] as const)
    for (const { key } of tx.scan(table, {}))
      if (!reachable.has(decodeNodeId(key)))
        problems.push(`${table} entry ${key.toString('hex')} belongs to no node`);
  return problems;
}

function checkEntry(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  entry: StoredEntry,
  reachable: Set<NodeId>,
  problems: string[],
): void {
  if (entry.kind === 'blob') return;
  const at = `/${path.join('/')}`;
  if (reachable.has(entry.node)) problems.push(`${at} is not the only reference to node ${entry.node}`);
  reachable.add(entry.node);
  const children = new Map<Key, TreeNode>();
  for (const child of scanChildEntries(tx, entry.node)) {
    children.set(child.key, readEntryNode(tx, child.entry));
    checkEntry(tx, tree, [...path, child.key], child.entry, reachable, problems);
  }
  if (children.size === 0) problems.push(`${at} has no children`);
  checkIndexes(tx, tree, path, entry.node, children, problems);
}

function checkIndexes(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  node: NodeId,
  children: ReadonlyMap<Key, TreeNode>,
  problems: string[],
): void {
  const found = new Map<IndexId, Set<string>>();
  for (const { key } of tx.scan('index', prefixRange(nodeKey(node)))) {
    if (key.length === INDEX_VALUE_OFFSET) continue;
    const id = decodeIndexId(key);
    found.set(id, (found.get(id) ?? new Set()).add(key.toString('hex')));
  }
  const hasPriorities = [...children.values()].some((child) => child.priority !== null);
  if (hasPriorities && readIndexState(tx, node, PRIORITY_INDEX.id).kind === 'absent')
    problems.push(`/${path.join('/')} has children with priorities and no priority index`);
  for (const { id, index } of [PRIORITY_INDEX, ...tree.indexesAt(path)]) {
    const state = readIndexState(tx, node, id);
    const expected = new Set<string>();
    for (const [key, child] of children)
      if (isIndexed(state, key))
        expected.add(
          indexEntryKey(node, id, encodeSortValue(childIndexValue(child, index)), key).toString('hex'),
        );
    const actual = found.get(id) ?? new Set();
    if (expected.size !== actual.size || [...expected].some((entry) => !actual.has(entry)))
      problems.push(
        `index ${indexName(index)} of /${path.join('/')} has ${actual.size} entries, not ${expected.size}`,
      );
  }
}

function markGarbage(tx: KvRead, node: NodeId, reachable: Set<NodeId>, problems: string[]): void {
  if (reachable.has(node)) problems.push(`node ${node} is garbage and in use`);
  reachable.add(node);
  for (const { entry } of scanChildEntries(tx, node))
    if (entry.kind === 'reference') markGarbage(tx, entry.node, reachable, problems);
}
