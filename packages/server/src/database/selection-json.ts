import type { Key } from '@hearth/core/tree/key.ts';
import { priorityJson } from '@hearth/core/tree/node-json.ts';
import type { KvRead } from '../kv/store.ts';
import { type JsonForm, jsonBytes } from '../tree/json-bytes.ts';
import { queryJsonBytes } from '../tree/json-query.ts';
import { shallowJsonBytes } from '../tree/json-shallow.ts';
import { readPriority } from '../tree/read.ts';
import type { StoredTree } from '../tree/stored-tree.ts';
import type { Selection } from './read-request.ts';

/** What is selected of a place, as JSON text in pieces, some of them without bytes; see `jsonBytes`. */
export function selectionJson(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  selection: Selection,
  form: JsonForm,
): Iterator<Buffer> {
  switch (selection.kind) {
    case 'node':
      return jsonBytes(tx, tree, path, form);
    case 'priority':
      return [Buffer.from(priorityJson(readPriority(tx, tree, path)))].values();
    case 'shallow':
      return shallowJsonBytes(tx, tree, path, selection);
    case 'query':
      return queryJsonBytes(tx, tree, path, selection.query, form);
    default:
      return selection satisfies never;
  }
}
