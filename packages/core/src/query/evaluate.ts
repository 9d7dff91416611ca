import { type InnerNode, innerNode, type TreeNode } from '../tree/node.ts';
import { childIndexValue, compareEntries, type Entry, isInRange, type Query } from './query.ts';

/** The children of a node that a query shows, in query order. A leaf or an absent node has none. */
export function evaluateQuery(query: Query, node: TreeNode | null): readonly Entry[] {
  if (node?.kind !== 'inner') return [];
  const entries: Entry[] = [];
  for (const [key, child] of node.children) {
    const entry: Entry = { value: childIndexValue(child, query.index), key };
    if (isInRange(query, entry)) entries.push(entry);
  }
  entries.sort(compareEntries);
  if (query.limit === null || entries.length <= query.limit) return entries;
  return query.from === 'left' ? entries.slice(0, query.limit) : entries.slice(-query.limit);
}

/** The node that a query shows: the children in its window, without the node's own priority. */
export function queryView(query: Query, node: TreeNode | null): InnerNode | null {
  if (node?.kind !== 'inner') return null;
  const shown: [Entry['key'], TreeNode][] = [];
  for (const { key } of evaluateQuery(query, node)) {
    const child = node.children.get(key);
    if (child !== undefined) shown.push([key, child]);
  }
  return innerNode(shown);
}
