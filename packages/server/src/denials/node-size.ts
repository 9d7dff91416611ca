import type { Priority, Scalar, TreeNode } from '@hearth/core/tree/node.ts';

/** What a number, a boolean, or the braces of an object take, about. */
const SCALAR_BYTES = 24;

/** About how many bytes a node takes as JSON or in memory; not less than `limit` as soon as it takes that much. */
export function nodeSize(node: TreeNode | null, limit: number): number {
  if (node === null) return 0;
  const ownBytes = scalarSize(node.priority);
  if (node.kind === 'leaf') return ownBytes + scalarSize(node.value);
  let bytes = ownBytes + SCALAR_BYTES;
  for (const [key, child] of node.children) {
    if (bytes >= limit) break;
    bytes += key.length + nodeSize(child, limit - bytes);
  }
  return bytes;
}

/** Of a leaf's value, or of a priority. */
export function scalarSize(value: Scalar | Priority): number {
  if (value === null) return 0;
  return typeof value === 'string' ? SCALAR_BYTES + value.length : SCALAR_BYTES;
}
