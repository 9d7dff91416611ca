import { must } from '@hearth/core/fault/assert.ts';
import type { Priority, TreeNode } from '@hearth/core/tree/node.ts';
import { parseNodeJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { decodeNodeId, NODE_ID_BYTES, type NodeId, nodeKey } from '../kv/keys.ts';
import { type Scratch, takeBytes } from '../kv/scratch.ts';

/**
 * The value of an entry of the tree table: one child.
 * Shape: flags (1 byte), then for a blob the child's JSON text in export form, UTF-8; for a reference (flag 1) the id of the
 * interior node whose entries are the child's children (6 bytes), then the child's own priority as JSON text if it has one.
 */
export type StoredEntry =
  | { readonly kind: 'blob'; readonly flags: number; readonly bytes: Buffer }
  | { readonly kind: 'reference'; readonly node: NodeId; readonly priority: Priority };

/** The entry refers to an interior node. */
const IS_REFERENCE = 1;
/** The child itself has a priority. */
export const HAS_PRIORITY = 2;
/** The text has a `.priority` somewhere, so it is not plain form. */
export const HAS_DOTTED = 4;
/** The text has an object somewhere that plain form shows as an array. */
export const HAS_ARRAY = 8;

/** Longest text of an inner node that is kept as one entry. Such an entry shares a page of the file with others. */
export const MAX_BLOB_BYTES = 1900;

/** Where the text of a blob starts. */
export const TEXT_OFFSET = 1;
const PRIORITY_OFFSET = TEXT_OFFSET + NODE_ID_BYTES;

export function decodeEntry(bytes: Buffer): StoredEntry {
  const flags = must(bytes[0], 'an entry has flags');
  if ((flags & IS_REFERENCE) === 0) return { kind: 'blob', flags, bytes };
  const priority: Priority =
    (flags & HAS_PRIORITY) === 0 ? null : JSON.parse(bytes.toString('utf8', PRIORITY_OFFSET));
  return { kind: 'reference', node: decodeNodeId(bytes, TEXT_OFFSET), priority };
}

export function encodeBlob(text: string, flags: number, textBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(TEXT_OFFSET + textBytes);
  bytes[0] = flags;
  bytes.write(text, TEXT_OFFSET, 'utf8');
  return bytes;
}

/** As `encodeBlob`, of a text that is a range of bytes. In `scratch`, if that is given. */
export function blobOf(flags: number, text: Buffer, start: number, end: number, scratch?: Scratch): Buffer {
  const length = TEXT_OFFSET + end - start;
  const bytes = takeBytes(length, scratch);
  bytes[0] = flags;
  text.copy(bytes, TEXT_OFFSET, start, end);
  return bytes;
}

export function encodeReference(node: NodeId, priority: Priority): Buffer {
  if (priority === null) return Buffer.concat([Buffer.from([IS_REFERENCE]), nodeKey(node)]);
  const flags = IS_REFERENCE | HAS_PRIORITY;
  return Buffer.concat([Buffer.from([flags]), nodeKey(node), Buffer.from(priorityJson(priority))]);
}

/** A blob's JSON text in export form. */
export function blobText(bytes: Buffer): string {
  return bytes.toString('utf8', TEXT_OFFSET);
}

/** A blob as a tree; never absent. */
export function blobNode(bytes: Buffer): TreeNode {
  return must(parseNodeJson(blobText(bytes)), 'a stored blob is not empty');
}

/** The priority of the child that an entry stands for. */
export function entryPriority(entry: StoredEntry): Priority {
  if (entry.kind === 'reference') return entry.priority;
  return (entry.flags & HAS_PRIORITY) === 0 ? null : blobNode(entry.bytes).priority;
}

/** Is the child an inner node? */
export function isInnerEntry(entry: StoredEntry): boolean {
  if (entry.kind === 'reference') return true;
  // Only an object's text and that of a leaf with a priority start with a brace.
  if (entry.bytes[TEXT_OFFSET] !== 0x7b) return false;
  return (entry.flags & HAS_PRIORITY) === 0 || blobNode(entry.bytes).kind === 'inner';
}
