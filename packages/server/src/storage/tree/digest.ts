import type { Query } from '@hearth/core/query/query.ts';
import { hashNode, priorityText, type Sha1 } from '@hearth/core/tree/digest.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { Priority } from '@hearth/core/tree/node.ts';
import type { NodeId } from '../kv/keys.ts';
import type { KvRead } from '../kv/store.ts';
import { blobNode, type StoredEntry } from './entry.ts';
import { planByPriority, runPlan } from './query.ts';
import { readContent } from './read.ts';
import { locate, type StoredTree } from './stored-tree.ts';

/** Maximum number of cached hashes, about 150 bytes each. When the cache is full, it is cleared. */
const MAX_CACHED = 50_000;

/** The hashes of interior nodes that are known. */
export interface HashCache {
  /** Returns the cached hash of an interior node with this priority, or `undefined` if it is not cached. */
  find(node: NodeId, priority: Priority): string | undefined;
  remember(node: NodeId, priority: Priority, hash: string): void;
}

interface Remembered {
  readonly priority: Priority;
  readonly hash: string;
}

/**
 * A cache of the hashes of interior nodes. A repeated hash of a large tree costs only as much as the changes
 * since the last one. The cache is exact as long as `forget` is called for every write of a tree, and `clear`
 * after every rollback.
 */
export class HashMemory implements HashCache {
  readonly #hashes = new Map<NodeId, Remembered>();

  find(node: NodeId, priority: Priority): string | undefined {
    const known = this.#hashes.get(node);
    return known?.priority === priority ? known.hash : undefined;
  }

  remember(node: NodeId, priority: Priority, hash: string): void {
    if (this.#hashes.size >= MAX_CACHED) this.#hashes.clear();
    this.#hashes.set(node, { priority, hash });
  }

  /** Removes the hashes of all interior nodes that a write at `path` changes. Must be called before the write. */
  forget(tx: KvRead, tree: StoredTree, path: readonly Key[]): void {
    if (this.#hashes.size === 0) return;
    for (const { node } of locate(tx, tree, path).ancestors) this.#hashes.delete(node);
  }

  clear(): void {
    this.#hashes.clear();
  }
}

/** Uses the cache of the current state, but only while the current state equals the state that is hashed. */
export class SharedHashes implements HashCache {
  readonly #shared: HashMemory;
  readonly #isCurrent: () => boolean;

  constructor(shared: HashMemory, isCurrent: () => boolean) {
    this.#shared = shared;
    this.#isCurrent = isCurrent;
  }

  find(node: NodeId, priority: Priority): string | undefined {
    return this.#isCurrent() ? this.#shared.find(node, priority) : undefined;
  }

  remember(node: NodeId, priority: Priority, hash: string): void {
    if (this.#isCurrent()) this.#shared.remember(node, priority, hash);
  }
}

/** A SHA-1 hash that receives a text in pieces. */
export interface Sha1Stream {
  update(text: string): void;
  /** Returns the digest of all pieces in UTF-8, as Base64 with padding. */
  base64(): string;
}

/** The platform's SHA-1, for a whole text and for a text in pieces. */
export interface Sha1Source {
  readonly sha1: Sha1;
  readonly openSha1: () => Sha1Stream;
}

/** The dependencies of hashing. */
export interface Hashing {
  readonly source: Sha1Source;
  readonly memory: HashCache;
  /** Called before stored text is hashed, with the number of its bytes. May throw. */
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

/**
 * Returns the hash of the tree at a path without loading it into memory; `''` if nothing is there. The result
 * equals `hashNode` of the same tree.
 */
export function hashStored(tx: KvRead, tree: StoredTree, path: readonly Key[], hashing: Hashing): string {
  const steps = hashSteps(tx, tree, path, hashing);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Like `hashStored`, but pauses after each child of an interior node. */
export function* hashSteps(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  hashing: Hashing,
): Generator<void, string> {
  const content = readContent(tx, tree, path);
  switch (content.kind) {
    case 'absent':
      return '';
    case 'inside':
      return hashNode(content.node, hashing.source.sha1);
    case 'entry':
      // One leaf or small node is hashed at once in any case.
      return content.entry.kind === 'blob'
        ? hashNode(blobNode(content.entry.bytes), hashing.source.sha1)
        : yield* hashEntry(tx, content.entry, hashing);
    default:
      return content satisfies never;
  }
}

function* hashEntry(tx: KvRead, entry: StoredEntry, hashing: Hashing): Generator<void, string> {
  if (entry.kind === 'blob') {
    hashing.spend(entry.bytes.length);
    return hashNode(blobNode(entry.bytes), hashing.source.sha1);
  }
  const { node, priority } = entry;
  const known = hashing.memory.find(node, priority);
  if (known !== undefined) return known;
  const hash = yield* hashChildren(tx, node, priority, hashing);
  hashing.memory.remember(node, priority, hash);
  return hash;
}

function* hashChildren(
  tx: KvRead,
  node: NodeId,
  priority: Priority,
  hashing: Hashing,
): Generator<void, string> {
  const { sha1, openSha1 } = hashing.source;
  const stream = openSha1();
  let text = priorityText(priority);
  for (const { child } of runPlan(tx, planByPriority(tx, node), BY_PRIORITY)) {
    const hash =
      child.kind === 'entry' ? yield* hashEntry(tx, child.entry, hashing) : hashNode(child.node, sha1);
    yield;
    text += `:${child.key}:${hash}`;
    if (text.length < PIECE_CHARS) continue;
    stream.update(text);
    text = '';
  }
  stream.update(text);
  return stream.base64();
}
