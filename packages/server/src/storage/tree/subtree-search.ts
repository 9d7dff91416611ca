import type { Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { scalarJson } from '@hearth/core/tree/node-json.ts';
import { decodeChildKey, NODE_ID_BYTES } from '../kv/keys.ts';
import { encodeUtf16Bytes, TEXT_MARK } from '../kv/sort-encoding.ts';
import type { KvRead } from '../kv/store.ts';
import { countChildrenUpTo } from './child-page.ts';
import { blobNode, blobText, isInnerEntry, type StoredEntry, TEXT_OFFSET } from './entry.ts';
import { type CountChildren, type NodeSummary, summarizeEntry, summarizeNode } from './node-summary.ts';
import type { StoredTree } from './stored-tree.ts';
import { SubtreeWalk, type WalkVisitor } from './subtree-walk.ts';

/** A text to search for, and how to match it. */
export interface SearchTerm {
  /** Not empty; contains no lone surrogates. */
  readonly text: string;
  readonly match: 'substring' | 'prefix' | 'exact';
  /** If false, letters match as in regular expressions with the flag `i`. */
  readonly isCaseSensitive: boolean;
}

export interface SearchPattern {
  matches(text: string): boolean;
  /**
   * Returns whether a key or a value in a blob may match, without parsing the blob as JSON. Only `false` is
   * certain.
   */
  mayBeIn(blob: Buffer): boolean;
  /** Returns whether the child key in an entry's key may match, without decoding it. Only `false` is certain. */
  mayBeKey(entryKey: Buffer): boolean;
}

function compileSearchTerm({ text, match, isCaseSensitive }: SearchTerm): SearchPattern {
  // The text as JSON writes it between quotes. Each character is escaped on its own, so the JSON of a value that
  // contains the text contains the escaped text.
  const escaped = JSON.stringify(text).slice(1, -1);
  if (isCaseSensitive)
    return { matches: exactMatcher(text, match), mayBeIn: byteFinder(escaped), mayBeKey: keyFinder(text) };
  const pattern = regExpOf(text, match);
  return {
    matches: (candidate) => pattern.test(candidate),
    mayBeIn: foldingFinder(escaped),
    mayBeKey: () => true,
  };
}

function exactMatcher(text: string, match: SearchTerm['match']): (candidate: string) => boolean {
  switch (match) {
    case 'substring':
      return (candidate) => candidate.includes(text);
    case 'prefix':
      return (candidate) => candidate.startsWith(text);
    case 'exact':
      return (candidate) => candidate === text;
    default:
      return match satisfies never;
  }
}

function regExpOf(text: string, match: SearchTerm['match']): RegExp {
  const literal = text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const start = match === 'substring' ? '' : '^';
  const end = match === 'exact' ? '$' : '';
  return new RegExp(`${start}${literal}${end}`, 'i');
}

function byteFinder(escaped: string): (blob: Buffer) => boolean {
  const bytes = Buffer.from(escaped);
  return (blob) => blob.includes(bytes, TEXT_OFFSET);
}

function keyFinder(text: string): (entryKey: Buffer) => boolean {
  const bytes = encodeUtf16Bytes(text);
  return (entryKey) => entryKey[NODE_ID_BYTES] !== TEXT_MARK || entryKey.includes(bytes, NODE_ID_BYTES);
}

function foldingFinder(escaped: string): (blob: Buffer) => boolean {
  const pattern = regExpOf(escaped, 'substring');
  // An ASCII letter matches only ASCII letters, so the bytes can be searched without decoding UTF-8.
  const isAscii = [...escaped].every((character) => character < '\u0080');
  return isAscii
    ? (blob) => pattern.test(blob.toString('latin1', TEXT_OFFSET))
    : (blob) => pattern.test(blobText(blob));
}

/**
 * A search term and the texts to search. Values other than strings are searched as JSON text. Priorities are
 * not searched.
 */
export interface SearchRequest extends SearchTerm {
  readonly scope: 'keys' | 'values' | 'both';
  /** Number of hits after which the search ends. */
  readonly limit: number;
}

export interface SearchHit {
  /** Keys from the root. */
  readonly keys: readonly Key[];
  readonly matched: 'key' | 'value';
  readonly node: NodeSummary;
}

/**
 * Searches the keys and values at and below a path in steps, in key order. The key of the path itself is not
 * searched. Entries that cannot match are not parsed.
 */
export class SubtreeSearch implements WalkVisitor {
  readonly #walk: SubtreeWalk;
  readonly #pattern: SearchPattern;
  readonly #request: SearchRequest;
  #isOver: () => boolean = () => true;
  #canReport: (keys: readonly Key[]) => boolean = () => true;
  #countChildren: CountChildren = () => ({ childCount: 0, isCountPartial: true });
  #found: SearchHit[] = [];
  #hits = 0;
  #entries = 0;
  #bytes = 0;

  constructor(tree: StoredTree, path: readonly Key[], request: SearchRequest) {
    this.#walk = new SubtreeWalk(tree, path);
    this.#pattern = compileSearchTerm(request);
    this.#request = request;
  }

  /** Number of entries of the store that have been searched. */
  get entries(): number {
    return this.#entries;
  }

  /** Total size of the blobs among these entries, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get hits(): number {
    return this.#hits;
  }

  /** Whether the search stopped at its limit, so that there may be more hits. */
  get isCut(): boolean {
    return this.#hits >= this.#request.limit;
  }

  /**
   * Searches until `isOver` returns true. Returns the hits of this step, and whether the search is complete.
   * Hits that `canReport` rejects are neither returned nor counted.
   */
  step(
    tx: KvRead,
    isOver: () => boolean,
    canReport: (keys: readonly Key[]) => boolean = () => true,
  ): { readonly found: readonly SearchHit[]; readonly isDone: boolean } {
    this.#isOver = isOver;
    this.#canReport = canReport;
    this.#countChildren = (node) => countChildrenUpTo(tx, node);
    this.#found = [];
    const isDone = this.#walk.step(tx, this) || this.isCut;
    return { found: this.#found, isDone };
  }

  entry(entry: StoredEntry, entryKey: Buffer | undefined): boolean {
    this.#entries += 1;
    if (entryKey !== undefined && this.#matchesEntryKey(entryKey))
      this.#add({
        keys: this.#walk.keys(),
        matched: 'key',
        node: summarizeEntry(entry, this.#countChildren),
      });
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

  /** Returns whether the content of an entry may match. A leaf contains no keys. */
  #maySearch(entry: StoredEntry): boolean {
    return this.#request.scope !== 'keys' || isInnerEntry(entry);
  }

  /** Searches a node. `keys` grows and shrinks with the recursion. */
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
    if (this.isCut || !this.#canReport(hit.keys)) return;
    this.#hits += 1;
    this.#found.push(hit);
  }
}
