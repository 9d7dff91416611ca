import { must } from '@hearth/core/error/assert.ts';
import type { InnerNode, LeafNode, Priority, TreeNode } from '@hearth/core/tree/node.ts';
import {
  exportJson,
  isArrayLike,
  parseNodeJson,
  priorityJson,
  scalarJson,
} from '@hearth/core/tree/node-json.ts';
import { type Scratch, takeBytes } from '../kv/buffers.ts';
import { decodeNodeId, NODE_ID_BYTES, type NodeId, nodeKey } from '../kv/keys.ts';

/**
 * The value of an entry of the tree table: one child.
 *
 * Shape: flags (1 byte). For a blob, the child's JSON text in export form follows, in UTF-8. For a reference
 * (flag 1), the id of the interior node whose entries are the child's children follows (6 bytes), then the
 * child's own priority as JSON text if it has one.
 */
export type StoredEntry =
  | { readonly kind: 'blob'; readonly flags: number; readonly bytes: Buffer }
  | { readonly kind: 'reference'; readonly node: NodeId; readonly priority: Priority };

/** The entry refers to an interior node. */
const IS_REFERENCE = 1;
/** The child itself has a priority. */
export const HAS_PRIORITY = 2;
/** The text contains a `.priority`, so it is not in plain form. */
export const HAS_DOTTED = 4;
/** The text contains an object that plain form shows as an array. */
export const HAS_ARRAY = 8;

/**
 * Longest text of an inner node that is stored as one entry. Such an entry shares a page of the file with
 * others.
 */
export const MAX_BLOB_BYTES = 1900;

/** Offset of the text in a blob. */
export const TEXT_OFFSET = 1;
const PRIORITY_OFFSET = TEXT_OFFSET + NODE_ID_BYTES;

/** Decodes the value of an entry of the tree table. The bytes of a blob are not copied. */
export function decodeEntry(bytes: Buffer): StoredEntry {
  const flags = must(bytes[0], 'an entry has flags');
  if ((flags & IS_REFERENCE) === 0) return { kind: 'blob', flags, bytes };
  const priority: Priority =
    (flags & HAS_PRIORITY) === 0 ? null : JSON.parse(bytes.toString('utf8', PRIORITY_OFFSET));
  return { kind: 'reference', node: decodeNodeId(bytes, TEXT_OFFSET), priority };
}

/** Encodes a child's JSON text in export form. `textBytes` is its length in UTF-8. */
export function encodeBlob(text: string, flags: number, textBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(TEXT_OFFSET + textBytes);
  bytes[0] = flags;
  bytes.write(text, TEXT_OFFSET, 'utf8');
  return bytes;
}

/**
 * Like `encodeBlob`, for a text that is a range of bytes. The result is in the memory of `scratch` if it is
 * given.
 */
export function blobOf(flags: number, text: Buffer, start: number, end: number, scratch?: Scratch): Buffer {
  const length = TEXT_OFFSET + end - start;
  const bytes = takeBytes(length, scratch);
  bytes[0] = flags;
  text.copy(bytes, TEXT_OFFSET, start, end);
  return bytes;
}

/** Encodes a reference to the interior node of a child with this priority. */
export function encodeReference(node: NodeId, priority: Priority): Buffer {
  if (priority === null) return Buffer.concat([Buffer.from([IS_REFERENCE]), nodeKey(node)]);
  const flags = IS_REFERENCE | HAS_PRIORITY;
  return Buffer.concat([Buffer.from([flags]), nodeKey(node), Buffer.from(priorityJson(priority))]);
}

/** Returns a blob's JSON text in export form. */
export function blobText(bytes: Buffer): string {
  return bytes.toString('utf8', TEXT_OFFSET);
}

/** Parses the text of a blob. */
export function blobNode(bytes: Buffer): TreeNode {
  return must(parseNodeJson(blobText(bytes)), 'a stored blob is not empty');
}

/** Returns the priority of the child that an entry holds. */
export function entryPriority(entry: StoredEntry): Priority {
  if (entry.kind === 'reference') return entry.priority;
  return (entry.flags & HAS_PRIORITY) === 0 ? null : blobNode(entry.bytes).priority;
}

/** Returns whether the child is an inner node. */
export function isInnerEntry(entry: StoredEntry): boolean {
  if (entry.kind === 'reference') return true;
  // Only the text of an object, or of a leaf with a priority, starts with a brace.
  if (entry.bytes[TEXT_OFFSET] !== 0x7b) return false;
  return (entry.flags & HAS_PRIORITY) === 0 || blobNode(entry.bytes).kind === 'inner';
}

/**
 * Returns the blob of a tree if its text fits into one entry, as most texts do. Returns `undefined` otherwise; the caller
 * then packs the tree. `json` is the text in export form, if the caller has it.
 */
export function findBlob(node: TreeNode, json?: string): Buffer | undefined {
  if (node.kind === 'inner' && remainingUnits(node, MAX_BLOB_BYTES) < 0) return undefined;
  const text = json ?? exportJson(node);
  const bytes = Buffer.byteLength(text);
  return node.kind === 'leaf' || bytes <= MAX_BLOB_BYTES
    ? encodeBlob(text, textFlags(node), bytes)
    : undefined;
}

/**
 * Returns `units` minus a lower bound for the length of a tree's text. Stops early with a negative number once
 * the text is known to be too long.
 */
function remainingUnits(node: TreeNode, units: number): number {
  if (node.kind === 'leaf') return units - (typeof node.value === 'string' ? node.value.length + 2 : 1);
  let left = units;
  for (const [key, child] of node.children) {
    left = remainingUnits(child, left - key.length - 4);
    if (left < 0) break;
  }
  return left;
}

/** Returns the flags of the blob that holds a node. */
export function textFlags(node: TreeNode): number {
  const ownFlags = node.priority === null ? 0 : HAS_PRIORITY | HAS_DOTTED;
  if (node.kind === 'leaf') return ownFlags;
  let flags = isArrayLike(node) ? ownFlags | HAS_ARRAY : ownFlags;
  for (const child of node.children.values()) flags |= textFlags(child) & (HAS_DOTTED | HAS_ARRAY);
  return flags;
}

/** The text of a node, which may become part of its parent's text. */
export interface PackedText {
  readonly kind: 'text';
  readonly text: string;
  readonly bytes: number;
  readonly flags: number;
}

/** Returns the text of a leaf. */
export function packLeaf(leaf: LeafNode): PackedText {
  const value = scalarJson(leaf.value);
  if (leaf.priority === null) return { kind: 'text', text: value, bytes: Buffer.byteLength(value), flags: 0 };
  const text = `{".value":${value},".priority":${priorityJson(leaf.priority)}}`;
  return { kind: 'text', text, bytes: Buffer.byteLength(text), flags: HAS_PRIORITY | HAS_DOTTED };
}

/**
 * Returns the text of an inner node. `texts` are its members, to which this function may add the priority; `childFlags` are
 * the flags of all children together.
 */
export function packText(node: InnerNode, texts: string[], childFlags: number): PackedText {
  let flags = childFlags;
  if (isArrayLike(node)) flags |= HAS_ARRAY;
  if (node.priority !== null) {
    flags |= HAS_PRIORITY | HAS_DOTTED;
    texts.push(`".priority":${priorityJson(node.priority)}`);
  }
  const text = `{${texts.join(',')}}`;
  return { kind: 'text', text, bytes: Buffer.byteLength(text), flags };
}

/**
 * A cache of trees parsed from blobs. Rules read the same small nodes again and again, such as the members of a
 * room. The key of the cache is the content of the blob, so a write never makes an entry of the cache outdated.
 */
export class ParsedBlobs {
  readonly #maxBytes: number;
  readonly #nodes = new Map<string, TreeNode>();
  #bytes = 0;

  /**
   * `maxBytes` is the limit on cached bytes of blobs; when it is reached, the cache is cleared. A parsed tree
   * needs about ten times as much memory.
   */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Like `blobNode`. */
  node(bytes: Buffer): TreeNode {
    const content = bytes.toString('latin1');
    const known = this.#nodes.get(content);
    if (known !== undefined) return known;
    const node = blobNode(bytes);
    if (this.#bytes + bytes.length > this.#maxBytes) this.#clear();
    this.#nodes.set(content, node);
    this.#bytes += bytes.length;
    return node;
  }

  #clear(): void {
    this.#nodes.clear();
    this.#bytes = 0;
  }
}
