import { must } from '@hearth/core/error/assert.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { childEntryKey, type NodeId, nodeKey } from '../../storage/kv/keys.ts';
import type { KvRead, KvWrite } from '../../storage/kv/store.ts';
import {
  decodeEntry,
  encodeBlob,
  encodeReference,
  type StoredEntry,
  textFlags,
} from '../../storage/tree/entry.ts';
import { addUnreferenced } from '../../storage/tree/garbage.ts';
import { readContent } from '../../storage/tree/read.ts';
import { allocateNodeId, type StoredTree } from '../../storage/tree/stored-tree.ts';

/**
 * A tree outside any database that holds replaced nodes, so that they can be linked again. Its root is stored under
 * `holder` and refers to `node`, whose children are the replaced nodes.
 */
export interface KeptTree {
  readonly holder: NodeId;
  readonly node: NodeId;
}

export function createKeptTree(tx: KvWrite): KeptTree {
  const kept = { holder: allocateNodeId(tx), node: allocateNodeId(tx) };
  tx.put('tree', nodeKey(kept.holder), encodeReference(kept.node, null));
  return kept;
}

/** Returns the entry that would hold the node at a path, or `null` if the node is absent. Does not read its descendants. */
export function readEntryBytes(tx: KvRead, tree: StoredTree, path: readonly Key[]): Buffer | null {
  const content = readContent(tx, tree, path);
  switch (content.kind) {
    case 'absent':
      return null;
    case 'entry':
      return content.entry.kind === 'blob'
        ? content.entry.bytes
        : encodeReference(content.entry.node, content.entry.priority);
    case 'inside': {
      const text = exportJson(content.node);
      return encodeBlob(text, textFlags(content.node), Buffer.byteLength(text));
    }
    default:
      return content satisfies never;
  }
}

/**
 * Keeps a node that the transaction has unlinked. `entry` is the entry of the node before that. The cost does not
 * depend on the size of the node, because its descendants are not moved.
 */
export function keepEntry(tx: KvWrite, { node }: KeptTree, name: Key, entry: Buffer): void {
  const decoded = decodeEntry(entry);
  if (decoded.kind === 'reference' && !tx.remove('garbage', nodeKey(decoded.node)))
    throw new Error('Bug: a node is kept that was not unlinked.');
  tx.put('tree', childEntryKey(node, name), entry);
}

/** Removes a node from the kept tree and returns its entry. The caller links it. */
export function takeEntry(tx: KvWrite, { node }: KeptTree, name: Key): StoredEntry {
  const key = childEntryKey(node, name);
  const entry = decodeEntry(must(tx.find('tree', key), 'the node is kept'));
  tx.remove('tree', key);
  return entry;
}

/** Marks a kept tree for removal in the background. */
export function dropKeptTree(tx: KvWrite, { holder }: KeptTree): void {
  addUnreferenced(tx, holder);
}
