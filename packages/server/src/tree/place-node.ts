import { childIndexValue } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { InnerNode, LeafNode, TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson, isArrayLike, priorityJson, scalarJson } from '@hearth/core/tree/node-json.ts';
import type { NodeId } from '../kv/keys.ts';
import type { KvWrite } from '../kv/store.ts';
import { completeIndexes, type FilledNode, writeChildEntry } from './child-entries.ts';
import { encodeBlob, encodeReference, HAS_ARRAY, HAS_DOTTED, HAS_PRIORITY, MAX_BLOB_BYTES } from './entry.ts';
import { PRIORITY_INDEX } from './index-state.ts';
import { allocateNodeId, type StoredIndex, type StoredTree } from './stored-tree.ts';

/** What a node has become: text that its parent may still take into its own, or entries of its own. */
type Packed =
  | { readonly kind: 'text'; readonly text: string; readonly bytes: number; readonly flags: number }
  | { readonly kind: 'entries'; readonly node: NodeId };

/**
 * Writes a tree under an entry key: as one entry if it is small, otherwise as entries of its children, with the indexes
 * that are kept there. `path` is where the tree is. What was under the key before is overwritten, not released.
 */
export function placeNode(
  tx: KvWrite,
  tree: StoredTree,
  entryKey: Buffer,
  path: readonly Key[],
  node: TreeNode,
  json?: string,
): void {
  tx.put('tree', entryKey, storeNode(tx, tree, path, node, json));
}

/** Writes what a tree needs beside its own entry, and returns that entry. `json` is its text in export form, if known. */
export function storeNode(
  tx: KvWrite,
  tree: StoredTree,
  path: readonly Key[],
  node: TreeNode,
  json?: string,
): Buffer {
  return findBlob(node, json) ?? encodePacked(pack(tx, tree, [...path], node), node);
}

/** The entry of a tree that is plainly small enough to be one, as most are; others are packed with more care. */
function findBlob(node: TreeNode, json?: string): Buffer | undefined {
  if (node.kind === 'inner' && remainingUnits(node, MAX_BLOB_BYTES) < 0) return undefined;
  const text = json ?? exportJson(node);
  const bytes = Buffer.byteLength(text);
  return node.kind === 'leaf' || bytes <= MAX_BLOB_BYTES
    ? encodeBlob(text, textFlags(node), bytes)
    : undefined;
}

/** What is left of `units` after the text of a tree, at the least; negative as soon as that is known to be too long. */
function remainingUnits(node: TreeNode, units: number): number {
  if (node.kind === 'leaf') return units - (typeof node.value === 'string' ? node.value.length + 2 : 1);
  let left = units;
  for (const [key, child] of node.children) {
    left = remainingUnits(child, left - key.length - 4);
    if (left < 0) break;
  }
  return left;
}

function textFlags(node: TreeNode): number {
  const ownFlags = node.priority === null ? 0 : HAS_PRIORITY | HAS_DOTTED;
  if (node.kind === 'leaf') return ownFlags;
  let flags = isArrayLike(node) ? ownFlags | HAS_ARRAY : ownFlags;
  for (const child of node.children.values()) flags |= textFlags(child) & (HAS_DOTTED | HAS_ARRAY);
  return flags;
}

/** `path` grows and shrinks with the recursion. */
function pack(tx: KvWrite, tree: StoredTree, path: Key[], node: TreeNode): Packed {
  if (node.kind === 'leaf') return packLeaf(node);
  const texts: string[] = [];
  let bytes = 2;
  let flags = 0;
  let entries: EntryWriter | undefined;
  for (const [key, child] of node.children) {
    path.push(key);
    const packed = pack(tx, tree, path, child);
    path.pop();
    if (entries === undefined && packed.kind === 'text') {
      const text = `${JSON.stringify(key)}:${packed.text}`;
      const nextBytes = bytes + Buffer.byteLength(text) + 1;
      if (nextBytes <= MAX_BLOB_BYTES) {
        texts.push(text);
        bytes = nextBytes;
        flags |= packed.flags & (HAS_DOTTED | HAS_ARRAY);
        continue;
      }
    }
    entries ??= new EntryWriter(tx, tree, path, node, texts.length);
    entries.write(key, child, packed);
  }
  return entries === undefined ? packText(node, texts, flags) : entries.end();
}

function packLeaf(leaf: LeafNode): Packed {
  const value = scalarJson(leaf.value);
  if (leaf.priority === null) return { kind: 'text', text: value, bytes: Buffer.byteLength(value), flags: 0 };
  const text = `{".value":${value},".priority":${priorityJson(leaf.priority)}}`;
  return { kind: 'text', text, bytes: Buffer.byteLength(text), flags: HAS_PRIORITY | HAS_DOTTED };
}

function packText(node: InnerNode, texts: string[], childFlags: number): Packed {
  let flags = childFlags;
  if (isArrayLike(node)) flags |= HAS_ARRAY;
  if (node.priority !== null) {
    flags |= HAS_PRIORITY | HAS_DOTTED;
    texts.push(`".priority":${priorityJson(node.priority)}`);
  }
  const text = `{${texts.join(',')}}`;
  return { kind: 'text', text, bytes: Buffer.byteLength(text), flags };
}

function encodePacked(packed: Packed, node: TreeNode): Buffer {
  return packed.kind === 'text'
    ? encodeBlob(packed.text, packed.flags, packed.bytes)
    : encodeReference(packed.node, node.priority);
}

/** Writes the children of one inner node as entries, with the index entries of the node. */
class EntryWriter {
  readonly #tx: KvWrite;
  readonly #filled: FilledNode;

  /** The node's first `passed` children have been packed already, and have found no place in a text. */
  constructor(tx: KvWrite, tree: StoredTree, path: Key[], parent: InnerNode, passed: number) {
    this.#tx = tx;
    this.#filled = { node: allocateNodeId(tx), indexes: indexesOf(tree, path, parent) };
    let count = 0;
    for (const [key, child] of parent.children) {
      if (count === passed) break;
      count += 1;
      path.push(key);
      this.write(key, child, pack(tx, tree, path, child));
      path.pop();
    }
  }

  write(key: Key, child: TreeNode, packed: Packed): void {
    writeChildEntry(this.#tx, this.#filled, key, encodePacked(packed, child), (index) =>
      childIndexValue(child, index),
    );
  }

  end(): Packed {
    completeIndexes(this.#tx, this.#filled);
    return { kind: 'entries', node: this.#filled.node };
  }
}

function indexesOf(tree: StoredTree, path: readonly Key[], node: InnerNode): readonly StoredIndex[] {
  const declared = tree.indexesAt(path);
  for (const child of node.children.values())
    if (child.priority !== null) return [PRIORITY_INDEX, ...declared];
  return declared;
}
