import type { Query } from '@hearth/core/query/query.ts';
import { hashNode, priorityText, type Sha1 } from '@hearth/core/tree/digest.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { Priority } from '@hearth/core/tree/node.ts';
import type { NodeId } from '../kv/keys.ts';
import type { KvRead } from '../kv/store.ts';
import { blobNode, type StoredEntry } from './entry.ts';
import type { HashMemory } from './hash-memory.ts';
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

/** What hashing works with. */
export interface Hashing {
  readonly source: Sha1Source;
  readonly memory: HashMemory;
  /** Is told how many bytes of stored text are about to be hashed, and may throw. */
  readonly spend: (textBytes: number) => void;
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
export function hashStored(tx: KvRead, tree: StoredTree, path: readonly Key[], hashing: Hashing): string {
  const place = readPlace(tx, tree, path);
  switch (place.kind) {
    case 'absent':
      return '';
    case 'inside':
      return hashNode(place.node, hashing.source.sha1);
    case 'entry':
      return hashEntry(tx, place.entry, hashing);
    default:
      return place satisfies never;
  }
}

function hashEntry(tx: KvRead, entry: StoredEntry, hashing: Hashing): string {
  if (entry.kind === 'blob') {
    hashing.spend(entry.bytes.length);
    return hashNode(blobNode(entry.bytes), hashing.source.sha1);
  }
  const { node, priority } = entry;
  const known = hashing.memory.find(node, priority);
  if (known !== undefined) return known;
  const hash = hashChildren(tx, node, priority, hashing);
  hashing.memory.remember(node, priority, hash);
  return hash;
}

function hashChildren(tx: KvRead, node: NodeId, priority: Priority, hashing: Hashing): string {
  const { sha1, openSha1 } = hashing.source;
  const stream = openSha1();
  let text = priorityText(priority);
  for (const { child } of runPlan(tx, planByPriority(tx, node), BY_PRIORITY)) {
    const hash = child.kind === 'entry' ? hashEntry(tx, child.entry, hashing) : hashNode(child.node, sha1);
    text += `:${child.key}:${hash}`;
    if (text.length < PIECE_CHARS) continue;
    stream.update(text);
    text = '';
  }
  stream.update(text);
  return stream.base64();
}
