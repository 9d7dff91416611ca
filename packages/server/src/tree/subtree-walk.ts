import type { Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { decodeChildKey, NODE_ID_BYTES, type NodeId, nodeKey } from '../kv/keys.ts';
import { type KvEntry, type KvRead, keyAfter, prefixRange } from '../kv/store.ts';
import { decodeEntry, type StoredEntry } from './entry.ts';
import { readPlace } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

export interface WalkVisitor {
  /** An entry, before those below it; `entryKey` is its key in the store, except at the top. Shall the walk go on? */
  entry(entry: StoredEntry, entryKey: Buffer | undefined): boolean;
  /** The top is inside an entry, and there is nothing else. */
  inside(node: TreeNode): void;
}

/**
 * Visits all entries at and below a path, depth first and in key order, step by step, each as it is when its turn comes. Between
 * steps it keeps nothing of the store but the way to the entry visited last: what has been removed meanwhile is passed
 * over, and in what has been replaced it goes on after the same keys.
 */
export class SubtreeWalk {
  readonly #tree: StoredTree;
  readonly #path: readonly Key[];
  /** Keys of entries on the way from the top to the entry visited last. */
  readonly #way: Buffer[] = [];
  #isStarted = false;

  constructor(tree: StoredTree, path: readonly Key[]) {
    this.#tree = tree;
    this.#path = path;
  }

  /** Keys from the root to the entry that is being visited. */
  keys(): Key[] {
    return [...this.#path, ...this.#way.map((entryKey) => decodeChildKey(entryKey))];
  }

  /** Goes on until the visitor says otherwise; returns whether everything was visited. */
  step(tx: KvRead, visitor: WalkVisitor): boolean {
    const place = readPlace(tx, this.#tree, this.#path);
    const isFirst = !this.#isStarted;
    this.#isStarted = true;
    if (place.kind === 'absent') return true;
    if (place.kind === 'inside') {
      if (isFirst) visitor.inside(place.node);
      return true;
    }
    const goesOn = isFirst ? visitor.entry(place.entry, undefined) : true;
    if (place.entry.kind === 'blob') return true;
    return goesOn && this.#visitBelow(tx, this.#openScans(tx, place.entry.node), visitor);
  }

  /** Visits what the scans have left, the innermost one first. */
  #visitBelow(tx: KvRead, scans: Iterator<KvEntry>[], visitor: WalkVisitor): boolean {
    for (;;) {
      const scan = scans.at(-1);
      if (scan === undefined) return true;
      const next = scan.next();
      if (next.done === true) {
        scans.pop();
        this.#way.length = scans.length;
        continue;
      }
      const { key, value } = next.value;
      this.#way[scans.length - 1] = key;
      const entry = decodeEntry(value);
      if (!visitor.entry(entry, key)) return false;
      if (entry.kind === 'reference') scans.push(scanAfter(tx, entry.node, undefined));
    }
  }

  /** Scans of the nodes on the way, from the top on, as far as they are still there; each goes on where it was left. */
  #openScans(tx: KvRead, top: NodeId): Iterator<KvEntry>[] {
    const scans: Iterator<KvEntry>[] = [];
    let node: NodeId | undefined = top;
    while (node !== undefined) {
      const passed: Buffer | undefined = this.#way[scans.length];
      scans.push(scanAfter(tx, node, passed));
      node = passed && findReference(tx, entryKeyIn(node, passed));
    }
    this.#way.length = Math.min(this.#way.length, scans.length);
    return scans;
  }
}

function scanAfter(tx: KvRead, node: NodeId, passed: Buffer | undefined): Iterator<KvEntry> {
  const range = prefixRange(nodeKey(node));
  const lower = passed === undefined ? range.lower : keyAfter(entryKeyIn(node, passed));
  return tx.scan('tree', { ...range, lower })[Symbol.iterator]();
}

/** Key of the entry of the same child in a node that may be another. */
function entryKeyIn(node: NodeId, entryKey: Buffer): Buffer {
  return Buffer.concat([nodeKey(node), entryKey.subarray(NODE_ID_BYTES)]);
}

function findReference(tx: KvRead, entryKey: Buffer): NodeId | undefined {
  const value = tx.find('tree', entryKey);
  const entry = value === undefined ? undefined : decodeEntry(value);
  return entry?.kind === 'reference' ? entry.node : undefined;
}
