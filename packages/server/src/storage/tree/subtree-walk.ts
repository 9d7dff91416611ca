import type { Key } from '@hearth/core/tree/key.ts';
import type { Priority, TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { decodeChildKey, NODE_ID_BYTES, type NodeId, nodeKey } from '../kv/keys.ts';
import { type KvEntry, type KvRead, keyAfter, prefixRange } from '../kv/store.ts';
import { decodeEntry, type StoredEntry, TEXT_OFFSET } from './entry.ts';
import { readContent } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

export interface WalkVisitor {
  /**
   * Visits an entry, before those below it. `entryKey` is its key in the store, absent for the top entry.
   * Returns whether to continue.
   */
  entry(entry: StoredEntry, entryKey: Buffer | undefined): boolean;
  /** Visits the top node if it is inside an entry; there is nothing else to visit. */
  inside(node: TreeNode): void;
}

/**
 * Visits all entries at and below a path in steps, depth first and in key order. Each step reads the current state.
 * Between steps, the walk stores only the path to the last visited entry. Entries removed since then are skipped. In a
 * node that was replaced, the walk continues after the same key.
 */
export class SubtreeWalk {
  readonly #tree: StoredTree;
  readonly #path: readonly Key[];
  /** Keys of the entries from the top to the last visited entry. */
  readonly #entryKeys: Buffer[] = [];
  #isStarted = false;

  constructor(tree: StoredTree, path: readonly Key[]) {
    this.#tree = tree;
    this.#path = path;
  }

  /** Returns the keys from the root to the entry that is being visited. */
  keys(): Key[] {
    return [...this.#path, ...this.#entryKeys.map((entryKey) => decodeChildKey(entryKey))];
  }

  /** Continues until the visitor returns false. Returns whether everything was visited. */
  step(tx: KvRead, visitor: WalkVisitor): boolean {
    const content = readContent(tx, this.#tree, this.#path);
    const isFirst = !this.#isStarted;
    this.#isStarted = true;
    if (content.kind === 'absent') return true;
    if (content.kind === 'inside') {
      if (isFirst) visitor.inside(content.node);
      return true;
    }
    const goesOn = isFirst ? visitor.entry(content.entry, undefined) : true;
    if (content.entry.kind === 'blob') return true;
    return goesOn && this.#visitBelow(tx, this.#openScans(tx, content.entry.node), visitor);
  }

  /** Visits the remaining entries of the scans, the innermost scan first. */
  #visitBelow(tx: KvRead, scans: Iterator<KvEntry>[], visitor: WalkVisitor): boolean {
    for (;;) {
      const scan = scans.at(-1);
      if (scan === undefined) return true;
      const next = scan.next();
      if (next.done === true) {
        scans.pop();
        this.#entryKeys.length = scans.length;
        continue;
      }
      const { key, value } = next.value;
      this.#entryKeys[scans.length - 1] = key;
      const entry = decodeEntry(value);
      if (!visitor.entry(entry, key)) return false;
      if (entry.kind === 'reference') scans.push(scanAfter(tx, entry.node, undefined));
    }
  }

  /**
   * Opens scans of the nodes on the current path, from the top as far as they still exist. Each continues after
   * the last visited entry.
   */
  #openScans(tx: KvRead, top: NodeId): Iterator<KvEntry>[] {
    const scans: Iterator<KvEntry>[] = [];
    let node: NodeId | undefined = top;
    while (node !== undefined) {
      const passed: Buffer | undefined = this.#entryKeys[scans.length];
      scans.push(scanAfter(tx, node, passed));
      node = passed && findReference(tx, entryKeyIn(node, passed));
    }
    this.#entryKeys.length = Math.min(this.#entryKeys.length, scans.length);
    return scans;
  }
}

function scanAfter(tx: KvRead, node: NodeId, passed: Buffer | undefined): Iterator<KvEntry> {
  const range = prefixRange(nodeKey(node));
  const lower = passed === undefined ? range.lower : keyAfter(entryKeyIn(node, passed));
  return tx.scan('tree', { ...range, lower })[Symbol.iterator]();
}

/** Returns the key of the same child's entry in another node. */
function entryKeyIn(node: NodeId, entryKey: Buffer): Buffer {
  return Buffer.concat([nodeKey(node), entryKey.subarray(NODE_ID_BYTES)]);
}

function findReference(tx: KvRead, entryKey: Buffer): NodeId | undefined {
  const value = tx.find('tree', entryKey);
  const entry = value === undefined ? undefined : decodeEntry(value);
  return entry?.kind === 'reference' ? entry.node : undefined;
}

/** Measures the size of everything at and below a path, in steps. */
export class SubtreeSize implements WalkVisitor {
  readonly #walk: SubtreeWalk;
  #isOver: () => boolean = () => true;
  #entries = 0;
  #bytes = 0;

  constructor(tree: StoredTree, path: readonly Key[]) {
    this.#walk = new SubtreeWalk(tree, path);
  }

  /** Number of entries of the store so far. A small object with everything in it is one entry. */
  get entries(): number {
    return this.#entries;
  }

  /** Length so far of the JSON text in export form, in UTF-8 bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Measures until `isOver` returns true. Returns whether everything was measured. */
  step(tx: KvRead, isOver: () => boolean): boolean {
    this.#isOver = isOver;
    return this.#walk.step(tx, this);
  }

  entry(entry: StoredEntry, entryKey: Buffer | undefined): boolean {
    this.#entries += 1;
    // A member needs a colon and a comma. One member of each object needs no comma, which is subtracted below.
    if (entryKey !== undefined)
      this.#bytes += Buffer.byteLength(JSON.stringify(decodeChildKey(entryKey))) + 2;
    this.#bytes +=
      entry.kind === 'blob'
        ? entry.bytes.length - TEXT_OFFSET
        : '{}'.length - 1 + priorityBytes(entry.priority);
    return !this.#isOver();
  }

  inside(node: TreeNode): void {
    this.#entries += 1;
    this.#bytes += Buffer.byteLength(exportJson(node));
  }
}

function priorityBytes(priority: Priority): number {
  return priority === null ? 0 : Buffer.byteLength(`,".priority":${priorityJson(priority)}`);
}
