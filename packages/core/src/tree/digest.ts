import type { LeafNode, Priority, Scalar, TreeNode } from './node.ts';
import { compareByPriority } from './order.ts';

/**
 * Returns the SHA-1 of the UTF-8 form of a text, in Base64 with padding. The platform supplies this function.
 */
export type Sha1 = (text: string) => string;

/**
 * Returns the hash of a tree for listens and compare-and-set. Returns `''` for an absent node.
 *
 * The hash is the SHA-1 of the priority, followed by the type and value of a leaf or by `:key:hash` of each
 * child. Children are in priority order.
 */
export function hashNode(node: TreeNode | null, sha1: Sha1): string {
  if (node === null) return '';
  if (node.kind === 'leaf') return hashLeaf(node, sha1);
  let hasPriorities = false;
  for (const child of node.children.values()) if (child.priority !== null) hasPriorities = true;
  // Without priorities, priority order is the same as key order.
  const children = hasPriorities ? [...node.children].sort(compareByPriority) : node.children;
  let text = priorityText(node.priority);
  for (const [key, child] of children) text += `:${key}:${hashNode(child, sha1)}`;
  return sha1(text);
}

export function hashLeaf(leaf: LeafNode, sha1: Sha1): string {
  return sha1(priorityText(leaf.priority) + scalarText(leaf.value));
}

/** Returns the part of a hashed text that represents the node's own priority. */
export function priorityText(priority: Priority): string {
  if (priority === null) return '';
  return typeof priority === 'number'
    ? `priority:number:${doubleHex(priority)}:`
    : `priority:string:${priority}:`;
}

function scalarText(value: Scalar): string {
  switch (typeof value) {
    case 'boolean':
      return `boolean:${value}`;
    case 'string':
      return `string:${value}`;
    default:
      return `number:${doubleHex(Number(value))}`;
  }
}

const bits = new DataView(new ArrayBuffer(8));

/** Returns the 16 hexadecimal digits of the big-endian IEEE 754 double. */
function doubleHex(value: number): string {
  bits.setFloat64(0, value);
  return hex32(bits.getUint32(0)) + hex32(bits.getUint32(4));
}

function hex32(word: number): string {
  return word.toString(16).padStart(8, '0');
}
