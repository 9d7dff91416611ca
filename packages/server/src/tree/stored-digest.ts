import type { Query } from '@hearth/core/query/query.ts';
import { hashNode, priorityText, type Sha1 } from '@hearth/core/tree/digest.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { KvRead } from '../kv/store.ts';
import { blobNode, type StoredEntry } from './entry.ts';
import { planByPriority } from './query-plan.ts';
import { readPlace } from './read.ts';
import { runPlan } from './run-query.ts';
import type { StoredTree } from './stored-tree.ts';

/** A SHA-1 that is fed a text in pieces. */
export interface Sha1Stream {
  update(text: string): void;
  /** Base64, with padding, of the digest of the UTF-8 form of all pieces together. */
  base64(): string;
}

/** SHA-1 as the platform has it, at once and in pieces. */
export interface Sha1Source {
  readonly sha1: Sha1;
  readonly openSha1: () => Sha1Stream;
}

const PIECE_CHARS = 8192;
const BY_PRIORITY: Query = {
  index: { kind: 'priority' },
  lower: null,
  upper: null,
  limit: null,
  from: 'left',
};

/** Hash of the tree at a path, as `hashNode` of the same tree in memory, without having it there; `''` for nothing. */
export function hashStored(tx: KvRead, tree: StoredTree, path: readonly Key[], source: Sha1Source): string {
  const place = readPlace(tx, tree, path);
  switch (place.kind) {
    case 'absent':
      return '';
    case 'inside':
      return hashNode(place.node, source.sha1);
    case 'entry':
      return hashEntry(tx, place.entry, source);
    default:
      return place satisfies never;
  }
}

function hashEntry(tx: KvRead, entry: StoredEntry, source: Sha1Source): string {
  if (entry.kind === 'blob') return hashNode(blobNode(entry.bytes), source.sha1);
  const stream = source.openSha1();
  let text = priorityText(entry.priority);
  for (const { child } of runPlan(tx, planByPriority(tx, entry.node), BY_PRIORITY)) {
    const hash =
      child.kind === 'entry' ? hashEntry(tx, child.entry, source) : hashNode(child.node, source.sha1);
    text += `:${child.key}:${hash}`;
    if (text.length < PIECE_CHARS) continue;
    stream.update(text);
    text = '';
  }
  stream.update(text);
  return stream.base64();
}
