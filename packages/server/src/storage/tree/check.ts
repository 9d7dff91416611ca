import { indexName } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { MAX_DEPTH } from '@hearth/core/tree/path.ts';
import {
  decodeChildKey,
  decodeIndexId,
  decodeNodeId,
  INDEX_VALUE_OFFSET,
  type IndexId,
  indexEntryKey,
  indexWalkKey,
  type NodeId,
  nodeKey,
} from '../kv/keys.ts';
import { encodeSortValue } from '../kv/sort-encoding.ts';
import { type KvRead, prefixRange } from '../kv/store.ts';
import { blobNode, decodeEntry, entryPriority, type StoredEntry } from './entry.ts';
import {
  entryValueFor,
  type IndexState,
  isIndexed,
  PRIORITY_INDEX,
  readIndexState,
} from './index-maintenance.ts';
import type { StoredIndex, StoredTree } from './stored-tree.ts';

const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
const OTHER_PRIME = 0x85ebca6b;

/**
 * A sum of a collection of keys, for comparing two collections without storing their keys. Two collections have equal
 * sums if they contain the same keys equally often, in any order. Other collections have equal sums only by accident,
 * with a probability of 1 in 2^64.
 */
export class KeySum {
  count = 0;
  #first = 0;
  #second = 0;

  add(key: Buffer): void {
    let first = OFFSET_BASIS;
    let second = key.length;
    for (const byte of key) {
      first = Math.imul(first ^ byte, PRIME);
      second = Math.imul(second ^ byte, OTHER_PRIME) ^ (second >>> 13);
    }
    this.count += 1;
    this.#first = (this.#first + first) | 0;
    this.#second = (this.#second + second) | 0;
  }

  equals(other: KeySum): boolean {
    return this.count === other.count && this.#first === other.#first && this.#second === other.#second;
  }
}

/** A tree and its name in problem messages. */
export interface NamedTree {
  readonly name: string;
  readonly tree: StoredTree;
}

/** The result of checking a store. */
export interface StoreCheck {
  /** Sentences that describe problems; empty if the store is sound. */
  readonly problems: readonly string[];
  /** Number of entries of trees and of indexes. */
  readonly entries: number;
  /** Number of entries that wait to be removed, and the total size of their keys and values. */
  readonly garbage: { readonly entries: number; readonly bytes: number };
}

/** Maximum number of problems that are reported. */
const MAX_PROBLEMS = 100;

/** Entries between two progress reports. */
const STEP_ENTRIES = 2_000;

const OWNED_TABLES = ['tree', 'index', 'build'] as const;
type OwnedTable = (typeof OWNED_TABLES)[number];

/**
 * Checks all entries of a store that contains only these trees and the unlinked nodes in `unreferenced`. Finds
 * entries that belong to no node or to several nodes, entries that cannot be read, inner nodes without
 * children, and index entries that do not match the children. Stores sums of keys instead of the keys, so its
 * memory is bounded. Yields regularly, with the fraction that is done.
 */
export function* checkTrees(
  tx: KvRead,
  trees: readonly NamedTree[],
  unreferenced: readonly NodeId[] = [],
): Generator<number, StoreCheck> {
  const check = new Check(tx);
  yield* check.countStored();
  for (const { name, tree } of trees) yield* check.tree(name, tree);
  for (const node of unreferenced) yield* check.unlinked(node, 0, 'unreferenced');
  for (const { key } of tx.scan('garbage', {})) yield* check.unlinked(decodeNodeId(key), 0, 'garbage');
  return check.end();
}

/** Like `checkTrees`, but without pauses, for a store with one tree. */
export function checkStore(tx: KvRead, tree: StoredTree): readonly string[] {
  const steps = checkTrees(tx, [{ name: '', tree }]);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value.problems;
  }
}

/** The found and the expected entries of one index of one node. */
interface NodeIndex extends StoredIndex {
  readonly state: IndexState;
  readonly expected: KeySum;
  readonly found: KeySum;
}

function sums(): Readonly<Record<OwnedTable, KeySum>> {
  return { tree: new KeySum(), index: new KeySum(), build: new KeySum() };
}

class Check {
  readonly #tx: KvRead;
  readonly #problems: string[] = [];
  /** Number of problems that were found after `MAX_PROBLEMS`. */
  #omitted = 0;
  /** All entries in the store. */
  readonly #stored = sums();
  /** The entries that belong to a node. */
  readonly #reached = sums();
  #garbageEntries = 0;
  #garbageBytes = 0;
  #readCount = 0;
  #name = '';

  constructor(tx: KvRead) {
    this.#tx = tx;
  }

  *countStored(): Generator<number> {
    for (const table of OWNED_TABLES)
      for (const { key } of this.#tx.scan(table, {})) {
        this.#stored[table].add(key);
        if (this.#stored[table].count % STEP_ENTRIES === 0) yield 0;
      }
  }

  *tree(name: string, tree: StoredTree): Generator<number> {
    this.#name = name;
    const rootKey = nodeKey(tree.holder);
    const root = this.#tx.find('tree', rootKey);
    if (root === undefined) return;
    this.#addReached('tree', rootKey);
    const entry = this.#decode([], root);
    if (entry !== undefined) yield* this.#entry(tree, [], entry);
  }

  /** Checks the entries of a node that no tree refers to, and of the nodes below it. */
  *unlinked(node: NodeId, depth: number, kind: 'unreferenced' | 'garbage'): Generator<number> {
    for (const table of OWNED_TABLES)
      for (const { key, value } of this.#tx.scan(table, prefixRange(nodeKey(node)))) {
        this.#addReached(table, key);
        if (kind === 'garbage') {
          this.#garbageEntries += 1;
          this.#garbageBytes += key.length + value.length;
        }
        if (this.#isStep()) yield this.#progress();
        const entry = table === 'tree' ? this.#decode([], value) : undefined;
        if (entry?.kind === 'reference' && !this.#isInCycle(depth))
          yield* this.unlinked(entry.node, depth + 1, kind);
      }
  }

  end(): StoreCheck {
    for (const table of OWNED_TABLES) {
      const missing = this.#stored[table].count - this.#reached[table].count;
      if (missing > 0) this.#addProblem(`entries of the table ${table} that belong to no node: ${missing}`);
      else if (missing < 0)
        this.#addProblem(`${-missing} entries of the table ${table} belong to several nodes`);
      else if (!this.#stored[table].equals(this.#reached[table]))
        this.#addProblem(
          `some entries of the table ${table} belong to no node, and as many belong to several nodes`,
        );
    }
    if (this.#omitted > 0) this.#problems.push(`and ${this.#omitted} more`);
    const { tree, index } = this.#stored;
    return {
      problems: this.#problems,
      entries: tree.count + index.count,
      garbage: { entries: this.#garbageEntries, bytes: this.#garbageBytes },
    };
  }

  *#entry(tree: StoredTree, path: readonly Key[], entry: StoredEntry): Generator<number> {
    if (entry.kind === 'blob') return;
    if (this.#isInCycle(path.length)) {
      this.#addProblem(`${this.#at(path)} is nested deeper than the limit allows`);
      return;
    }
    const indexes = this.#indexesOf(tree, path, entry.node);
    const hasPriorities = yield* this.#children(tree, path, entry.node, indexes);
    const [priorities] = indexes;
    if (hasPriorities && priorities?.state.kind === 'absent')
      this.#addProblem(`${this.#at(path)} has children with priorities and no priority index`);
    this.#indexEntries(path, entry.node, indexes);
    for (const { index, expected, found } of indexes)
      if (!found.equals(expected))
        this.#addProblem(
          `index ${indexName(index)} of ${this.#at(path)} has ${found.count} entries instead of ${expected.count}`,
        );
  }

  /** Checks the children of a node. Returns whether any of them has a priority. */
  *#children(
    tree: StoredTree,
    path: readonly Key[],
    node: NodeId,
    indexes: readonly NodeIndex[],
  ): Generator<number, boolean> {
    let isEmpty = true;
    let hasPriorities = false;
    for (const { key, value } of this.#tx.scan('tree', prefixRange(nodeKey(node)))) {
      isEmpty = false;
      this.#addReached('tree', key);
      if (this.#isStep()) yield this.#progress();
      const childKey = decodeChildKey(key);
      const childPath = [...path, childKey];
      const child = this.#decode(childPath, value);
      if (child === undefined) continue;
      hasPriorities ||= entryPriority(child) !== null;
      for (const { id, index, state, expected } of indexes)
        if (isIndexed(state, childKey)) {
          const bytes = encodeSortValue(entryValueFor(this.#tx, child, index));
          expected.add(indexEntryKey(key, id, bytes));
        }
      yield* this.#entry(tree, childPath, child);
    }
    if (isEmpty) this.#addProblem(`${this.#at(path)} has no children`);
    return hasPriorities;
  }

  #indexesOf(tree: StoredTree, path: readonly Key[], node: NodeId): readonly NodeIndex[] {
    return [PRIORITY_INDEX, ...tree.indexesAt(path)].map(({ id, index }) => ({
      id,
      index,
      state: readIndexState(this.#tx, node, id),
      expected: new KeySum(),
      found: new KeySum(),
    }));
  }

  #indexEntries(path: readonly Key[], node: NodeId, indexes: readonly NodeIndex[]): void {
    const byId = new Map<IndexId, KeySum>(indexes.map(({ id, found }) => [id, found]));
    const strange = new Set<IndexId>();
    for (const { key } of this.#tx.scan('index', prefixRange(nodeKey(node)))) {
      this.#addReached('index', key);
      const id = decodeIndexId(key);
      const found = byId.get(id);
      if (found === undefined) strange.add(id);
      // The key of an index entry is longer than the key of the index's state.
      else if (key.length > INDEX_VALUE_OFFSET) found.add(key);
    }
    // An index that is being removed is no longer declared, but still has a walk.
    for (const id of strange)
      if (this.#tx.find('meta', indexWalkKey(id)) === undefined)
        this.#addProblem(
          `${this.#at(path)} has entries of index ${id}, which is not declared and is not being removed`,
        );
    for (const { key } of this.#tx.scan('build', prefixRange(nodeKey(node)))) this.#addReached('build', key);
  }

  #decode(path: readonly Key[], bytes: Buffer): StoredEntry | undefined {
    try {
      const entry = decodeEntry(bytes);
      if (entry.kind === 'blob') blobNode(entry.bytes);
      return entry;
    } catch (error) {
      this.#addProblem(`${this.#at(path)} cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  #addReached(table: OwnedTable, key: Buffer): void {
    this.#reached[table].add(key);
    this.#readCount += 1;
  }

  #isStep(): boolean {
    return this.#readCount % STEP_ENTRIES === 0;
  }

  /** Returns the fraction of the entries that have been checked. */
  #progress(): number {
    return Math.min(1, this.#reached.tree.count / this.#stored.tree.count);
  }

  /** Returns whether the check is in a cycle of references, which it would otherwise follow forever. */
  #isInCycle(depth: number): boolean {
    return depth >= MAX_DEPTH || this.#reached.tree.count > this.#stored.tree.count;
  }

  #at(path: readonly Key[]): string {
    return `${this.#name}/${path.join('/')}`;
  }

  #addProblem(problem: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem);
    else this.#omitted += 1;
  }
}
