import type { Key } from '@hearth/core/tree/key.ts';
import { exportJson, isArrayLikeKeys, plainJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { decodeChildKey, type NodeId, nodeKey } from '../kv/keys.ts';
import { type KvRead, prefixRange } from '../kv/store.ts';
import { blobNode, blobText, HAS_ARRAY, HAS_DOTTED, type StoredEntry } from './entry.ts';
import { readPlace, scanChildEntries } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

/** `export` keeps priorities; `plain` leaves them out and shows array-like objects as arrays. */
export type JsonForm = 'export' | 'plain';

const PIECE_CHARS = 16_384;

/**
 * The JSON text at a path (`null` for nothing) in pieces of at least `PIECE_CHARS`, the last one excepted, without building
 * the tree in memory.
 */
export function* jsonPieces(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  form: JsonForm,
): Generator<string> {
  const place = readPlace(tx, tree, path);
  switch (place.kind) {
    case 'absent':
      yield 'null';
      return;
    case 'inside':
      yield form === 'export' ? exportJson(place.node) : plainJson(place.node);
      return;
    case 'entry':
      yield* entryPieces(tx, place.entry, form);
      return;
    default:
      place satisfies never;
  }
}

/** The JSON text of an entry in pieces. */
function* entryPieces(tx: KvRead, entry: StoredEntry, form: JsonForm): Generator<string> {
  let piece = '';
  for (const fragment of fragments(tx, entry, form)) {
    piece += fragment;
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function* fragments(tx: KvRead, entry: StoredEntry, form: JsonForm): Generator<string> {
  if (entry.kind === 'blob') {
    const isCopied = form === 'export' || (entry.flags & (HAS_DOTTED | HAS_ARRAY)) === 0;
    yield isCopied ? blobText(entry.bytes) : plainJson(blobNode(entry.bytes));
  } else if (form === 'plain' && isArrayLikeNode(tx, entry.node)) {
    yield* arrayFragments(tx, entry.node);
  } else {
    let separator = '{';
    for (const child of scanChildEntries(tx, entry.node)) {
      yield `${separator}${JSON.stringify(child.key)}:`;
      yield* fragments(tx, child.entry, form);
      separator = ',';
    }
    yield form === 'plain' || entry.priority === null ? '}' : `,".priority":${priorityJson(entry.priority)}}`;
  }
}

function* arrayFragments(tx: KvRead, node: NodeId): Generator<string> {
  let next = 0;
  for (const { key, entry } of scanChildEntries(tx, node)) {
    const index = Number(key);
    yield next === 0 ? '[' : ',';
    for (; next < index; next += 1) yield 'null,';
    yield* fragments(tx, entry, 'plain');
    next += 1;
  }
  yield ']';
}

/** Numbers come first in key order, so one look at the last key answers for most nodes. */
function isArrayLikeNode(tx: KvRead, node: NodeId): boolean {
  const range = prefixRange(nodeKey(node));
  for (const { key } of tx.scan('tree', { ...range, isReversed: true })) {
    if (!isArrayLikeKeys([decodeChildKey(key)], Number.MAX_SAFE_INTEGER)) return false;
    break;
  }
  let count = 0;
  for (const _entry of tx.scan('tree', range)) count += 1;
  return isArrayLikeKeys(scanKeys(tx, node), count);
}

function* scanKeys(tx: KvRead, node: NodeId): Generator<Key> {
  for (const { key } of tx.scan('tree', prefixRange(nodeKey(node)))) yield decodeChildKey(key);
}
