import type { QueryIndex } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { IndexValue } from '@hearth/core/tree/order.ts';
import { childEntryKey, indexEntryKey, type NodeId } from '../kv/keys.ts';
import { Scratch } from '../kv/scratch.ts';
import { encodeSortValue } from '../kv/sort-value.ts';
import type { KvWrite } from '../kv/store.ts';
import { writeIndexComplete } from './index-state.ts';
import type { StoredIndex } from './stored-tree.ts';

/** An interior node whose children are being written one by one, with the indexes that it is to have. */
export interface FilledNode {
  readonly node: NodeId;
  readonly indexes: readonly StoredIndex[];
}

const NOTHING = Buffer.alloc(0);
const ENTRY_KEYS = new Scratch();
const INDEX_KEYS = new Scratch();

/** Writes one child of a new interior node. `valueFor` tells what an index says of the child, and writes nothing. */
export function writeChildEntry(
  tx: KvWrite,
  { node, indexes }: FilledNode,
  key: Key,
  entry: Buffer,
  valueFor: (index: QueryIndex) => IndexValue,
): void {
  const entryKey = childEntryKey(node, key, ENTRY_KEYS);
  tx.put('tree', entryKey, entry);
  for (const { id, index } of indexes)
    tx.put('index', indexEntryKey(entryKey, id, encodeSortValue(valueFor(index)), INDEX_KEYS), NOTHING);
}

/** Says that every child has been written. */
export function completeIndexes(tx: KvWrite, { node, indexes }: FilledNode): void {
  for (const { id } of indexes) writeIndexComplete(tx, node, id);
}
