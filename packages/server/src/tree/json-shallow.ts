import { compareKeys, type Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { scalarJson } from '@hearth/core/tree/node-json.ts';
import { type NodeId, nodeKey } from '../kv/keys.ts';
import { type KvRead, prefixRange } from '../kv/store.ts';
import { keyBoundEntry } from './bound.ts';
import { blobNode } from './entry.ts';
import { PAUSE } from './json-bytes.ts';
import { JsonWriter } from './json-writer.ts';
import { readPlace } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

/** Which keys: those after `startAfter`, in key order, and no more than `limit`. */
export interface KeyPage {
  readonly startAfter: string | null;
  readonly limit: number | null;
}

const COMMA = 0x2c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const TRUE = Buffer.from('true');

/** The keys at a path as JSON text: `{"key":true,…}`, a leaf as itself, `null` for nothing. In pieces, as `jsonBytes`. */
export function* shallowJsonBytes(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  page: KeyPage,
): Generator<Buffer> {
  const place = readPlace(tx, tree, path);
  const out = new JsonWriter();
  if (place.kind === 'absent') out.writeText('null');
  else if (place.kind === 'inside') out.writeText(shallowJson(place.node, page));
  else if (place.entry.kind === 'blob') out.writeText(shallowJson(blobNode(place.entry.bytes), page));
  else yield* writeKeys(tx, place.entry.node, page, out);
  yield* out.end();
}

function shallowJson(node: TreeNode, { startAfter, limit }: KeyPage): string {
  if (node.kind === 'leaf') return scalarJson(node.value);
  const keys = [...node.children.keys()].filter(
    (key) => startAfter === null || compareKeys(key, startAfter) > 0,
  );
  const members = keys.slice(0, limit ?? keys.length).map((key) => `${JSON.stringify(key)}:true`);
  return `{${members.join(',')}}`;
}

function* writeKeys(
  tx: KvRead,
  node: NodeId,
  { startAfter, limit }: KeyPage,
  out: JsonWriter,
): Generator<Buffer> {
  const prefix = nodeKey(node);
  const range = prefixRange(prefix);
  const lower = startAfter === null ? range.lower : keyBoundEntry(prefix, startAfter, 'after');
  let count = 0;
  out.writeByte(OPEN);
  for (const { key } of tx.scan('tree', { ...range, lower, isPassing: true, isPausing: true })) {
    if (key.length === 0) {
      yield PAUSE;
      continue;
    }
    if (count === limit) break;
    if (count > 0) out.writeByte(COMMA);
    count += 1;
    out.writeName(key);
    out.writeBytes(TRUE, 0);
    if (out.hasPiece) yield* out.take();
  }
  out.writeByte(CLOSE);
}
