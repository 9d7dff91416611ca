import type { Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { scalarJson } from '@hearth/core/tree/node-json.ts';
import { decodeChildKey } from '../kv/keys.ts';
import type { KvRead } from '../kv/store.ts';
import { blobNode, isInnerEntry, type StoredEntry } from './entry.ts';
import { type NodeSummary, summarizeEntry, summarizeNode } from './node-summary.ts';
import { compileSearchTerm, type SearchPattern, type SearchTerm } from './search-pattern.ts';
import type { StoredTree } from './stored-tree.ts';
import { SubtreeWalk, type WalkVisitor } from './subtree-walk.ts';

/** What is looked for, in which texts. A value that is no string is looked at as JSON text; priorities are not. */
export interface SearchRequest extends SearchTerm {
  readonly scope: 'keys' | 'values' | 'both';
  /** Hits after which the search ends. */
  readonly limit: number;
}

export interface SearchHit {
  /** Keys from the root. */
  readonly keys: readonly Key[];
  readonly matched: 'key' | 'value';
  readonly node: NodeSummary;
}

/**
 * Looks step by step for keys and values at and below a path, in key order; the key of the path itself is not looked at.
 * Entries that cannot match are not read as JSON.
 */
export class SubtreeSearch implements WalkVisitor {
  readonly #walk: SubtreeWalk;
  readonly #pattern: SearchPattern;
  readonly #request: SearchRequest;
  #isOver: () => boolean = () => true;
  #mayTell: (keys: readonly Key[]) => boolean = () => true;
  #found: SearchHit[] = [];
  #hits = 0;
  #entries = 0;
  #bytes = 0;

  constructor(tree: StoredTree, path: readonly Key[], request: SearchRequest) {
    this.#walk = new SubtreeWalk(tree, path);
    this.#pattern = compileSearchTerm(request);
    this.#request = request;
  }

  /** Entries of the store looked at so far. */
  get entries(): number {
    return this.#entries;
  }

  /** Bytes of their values. */
  get bytes(): number {
    return this.#bytes;
  }

  get hits(): number {
    return this.#hits;
  }

  /** Was the search ended by its limit, so that there may be more to find? */
  get isCut(): boolean {
    return this.#hits >= this.#request.limit;
  }

  /**
   * Searches until `isOver` says so. Returns what was found in this step, and whether that was all. What may not be told counts
   * for nothing.
   */
  step(
    tx: KvRead,
    isOver: () => boolean,
    mayTell: (keys: readonly Key[]) => boolean = () => true,
  ): { readonly found: readonly SearchHit[]; readonly isDone: boolean } {
    this.#isOver = isOver;
    this.#mayTell = mayTell;
    this.#found = [];
    const isDone = this.#walk.step(tx, this) || this.isCut;
    return { found: this.#found, isDone };
  }

  entry(entry: StoredEntry, entryKey: Buffer | undefined): boolean {
    this.#entries += 1;
    if (entryKey !== undefined && this.#matchesEntryKey(entryKey))
      this.#add({ keys: this.#walk.keys(), matched: 'key', node: summarizeEntry(entry, () => null) });
    if (entry.kind === 'blob') {
      this.#bytes += entry.bytes.length;
      if (this.#maySearch(entry) && this.#pattern.mayBeIn(entry.bytes))
        this.#searchNode(this.#walk.keys(), blobNode(entry.bytes));
    }
    return !this.isCut && !this.#isOver();
  }

  inside(node: TreeNode): void {
    this.#entries += 1;
    this.#searchNode(this.#walk.keys(), node);
  }

  /** Leaves have no keys. */
  #maySearch(entry: StoredEntry): boolean {
    return this.#request.scope !== 'keys' || isInnerEntry(entry);
  }

  /** `keys` grows and shrinks with the recursion. */
  #searchNode(keys: Key[], node: TreeNode): void {
    if (node.kind === 'leaf') {
      const text = typeof node.value === 'string' ? node.value : scalarJson(node.value);
      if (this.#request.scope !== 'keys' && this.#pattern.matches(text))
        this.#add({ keys: [...keys], matched: 'value', node: summarizeNode(node) });
      return;
    }
    for (const [key, child] of node.children) {
      if (this.isCut) return;
      keys.push(key);
      if (this.#matchesKey(key)) this.#add({ keys: [...keys], matched: 'key', node: summarizeNode(child) });
      this.#searchNode(keys, child);
      keys.pop();
    }
  }

  #matchesEntryKey(entryKey: Buffer): boolean {
    if (this.#request.scope === 'values' || !this.#pattern.mayBeKey(entryKey)) return false;
    return this.#pattern.matches(decodeChildKey(entryKey));
  }

  #matchesKey(key: Key): boolean {
    return this.#request.scope !== 'values' && this.#pattern.matches(key);
  }

  #add(hit: SearchHit): void {
    if (this.isCut || !this.#mayTell(hit.keys)) return;
    this.#hits += 1;
    this.#found.push(hit);
  }
}
