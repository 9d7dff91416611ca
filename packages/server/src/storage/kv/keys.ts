import type { Key } from '@hearth/core/tree/key.ts';
import { copyBytes, type Scratch, takeBytes } from './buffers.ts';
import { decodeSortKey, sortKeyLength, writeSortKey } from './sort-encoding.ts';

/**
 * Every key layout of the store. Numbers are big-endian. `node` is the id of an interior node (6 bytes), `index` the
 * id of an index (4 bytes), `key` a child's key encoded by `writeSortKey`, `value` an index value encoded by
 * `encodeSortValue`.
 *
 * | table    | key                  | value                                                                        |
 * |----------|----------------------|------------------------------------------------------------------------------|
 * | tree     | node key             | a child: `storage/tree/entry.ts`. The root of a database has the key `node`  |
 * |          |                      | alone, where `node` is an id that the database reserves for its root         |
 * | index    | node index           | how much of this node's index is built: `storage/tree/index-maintenance.ts`  |
 * | index    | node index value key | empty                                                                        |
 * | before   | epoch table key      | the preimage of a key of a table: `storage/kv/preimage.ts`                   |
 * | build    | node index           | definition, as JSON, of the index to build for this node                     |
 * | garbage  | node                 | empty; the node's children and index entries have to be removed              |
 * | meta     | text                 | the counters and catalogs named below, and small records of databases, such  |
 * |          |                      | as those of `realtime/database/catalog.ts`, `rules/publishing/versions.ts`   |
 * |          |                      | and `realtime/import/record.ts`, and the rings of                            |
 * |          |                      | `realtime/monitoring/series/series-store.ts`                                 |
 * | log      | database seq part    | `storage/log/record.ts`                                                      |
 * | sessions | session [path]       | `realtime/disconnect/writes.ts`                                     |
 * | denials  | database id          | `rules/denials/table.ts`                                                     |
 */
export const NODE_ID_BYTES = 6;
const INDEX_ID_BYTES = 4;

/** The id of an interior node: a positive integer that is never reused. */
export type NodeId = number;

/** The id of an index of a database: a positive integer that is never reused. */
export type IndexId = number;

export const META_NEXT_NODE_ID = Buffer.from('next-node-id');
export const META_NEXT_INDEX_ID = Buffer.from('next-index-id');

/** Returns the key of the index definitions of a database. */
export function indexCatalogKey(holder: NodeId): Buffer {
  return Buffer.from(`indexes/${holder}`);
}

/**
 * Returns the key of the task that walks a database to build or remove an index. The keys of all these tasks
 * are in the range of `WALK_PREFIX`.
 */
export function indexWalkKey(index: IndexId): Buffer {
  return Buffer.from(`walk/${String(index).padStart(10, '0')}`);
}

export const WALK_PREFIX = Buffer.from('walk/');

/**
 * Returns the bytes of a node id. They are the key of a root entry in `tree`, a key in `garbage`, and the
 * prefix of the keys of everything that the node owns.
 */
export function nodeKey(node: NodeId): Buffer {
  const bytes = Buffer.allocUnsafe(NODE_ID_BYTES);
  bytes.writeUIntBE(node, 0, NODE_ID_BYTES);
  return bytes;
}

/** Returns the key of a child's entry, in the memory of `scratch` if it is given. */
export function childEntryKey(node: NodeId, key: Key, scratch?: Scratch): Buffer {
  const bytes = takeBytes(NODE_ID_BYTES + sortKeyLength(key), scratch);
  bytes.writeUIntBE(node, 0, NODE_ID_BYTES);
  writeSortKey(key, bytes, NODE_ID_BYTES);
  return bytes;
}

export function decodeNodeId(bytes: Buffer, offset = 0): NodeId {
  return bytes.readUIntBE(offset, NODE_ID_BYTES);
}

/** Returns the child's key from the key of an entry. */
export function decodeChildKey(entryKey: Buffer, offset = NODE_ID_BYTES): Key {
  // The bytes were encoded from a valid key.
  return decodeSortKey(entryKey, offset) as Key;
}

/** Returns the key of an index's state at a node. It is also the prefix of the index's entries there. */
export function nodeIndexKey(node: NodeId, index: IndexId): Buffer {
  const bytes = Buffer.allocUnsafe(NODE_ID_BYTES + INDEX_ID_BYTES);
  bytes.writeUIntBE(node, 0, NODE_ID_BYTES);
  bytes.writeUInt32BE(index, NODE_ID_BYTES);
  return bytes;
}

export function decodeIndexId(bytes: Buffer): IndexId {
  return bytes.readUInt32BE(NODE_ID_BYTES);
}

/** Offset of the value in the key of an index entry. */
export const INDEX_VALUE_OFFSET = NODE_ID_BYTES + INDEX_ID_BYTES;

/**
 * Returns the key of the index entry for the child whose tree entry has the key `entryKey`, in the memory of
 * `scratch` if it is given.
 */
export function indexEntryKey(
  entryKey: Buffer,
  index: IndexId,
  valueBytes: Buffer,
  scratch?: Scratch,
): Buffer {
  const keyOffset = INDEX_VALUE_OFFSET + valueBytes.length;
  const bytes = takeBytes(keyOffset + entryKey.length - NODE_ID_BYTES, scratch);
  copyBytes(entryKey, 0, NODE_ID_BYTES, bytes, 0);
  bytes.writeUInt32BE(index, NODE_ID_BYTES);
  copyBytes(valueBytes, 0, valueBytes.length, bytes, INDEX_VALUE_OFFSET);
  copyBytes(entryKey, NODE_ID_BYTES, entryKey.length, bytes, keyOffset);
  return bytes;
}
