import { createHash, hash } from 'node:crypto';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { compareEntries, type Entry, type Query, type QueryIndex } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { Priority, TreeNode } from '@hearth/core/tree/node.ts';
import { priorityJson } from '@hearth/core/tree/node-json.ts';
import type { IndexValue } from '@hearth/core/tree/order.ts';
import { joinPaths, type Path } from '@hearth/core/tree/path.ts';
import type { KvRead, KvWrite } from '../../storage/kv/store.ts';
import type { BuildTarget } from '../../storage/tree/builder-state.ts';
import { readSubtree, type Subtree } from '../../storage/tree/compare.ts';
import {
  type Hashing,
  HashMemory,
  hashSteps,
  hashStored,
  type Sha1Source,
  SharedHashes,
} from '../../storage/tree/digest.ts';
import {
  type CatalogEntry,
  type DetachedIndexes,
  readDetachedIndexes,
  readIndexCatalog,
  repeatCatalogChange,
} from '../../storage/tree/index-catalog.ts';
import { findStoredJson, type JsonForm, jsonBytes } from '../../storage/tree/json-bytes.ts';
import { queryJsonBytes, shallowJsonBytes } from '../../storage/tree/json-query.ts';
import { runQuery, type ScanCount } from '../../storage/tree/query.ts';
import { readChildren, readIndexValue, readPriority } from '../../storage/tree/read.ts';
import { NO_TREE, type StoredTree } from '../../storage/tree/stored-tree.ts';
import {
  linkStaged,
  type NodeReplacement,
  type StagedTree,
  writeNode,
  writeNodes,
  writePriority,
} from '../../storage/tree/write.ts';
import { readEntryBytes } from '../changes/kept-tree.ts';
import type { DatabaseTree, Selection } from './tree-view.ts';

/** Returns the selected part of a node as JSON text in pieces, some of which may be empty. See `jsonBytes`. */
function selectionJson(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  selection: Selection,
  form: JsonForm,
): Iterator<Buffer> {
  switch (selection.kind) {
    case 'node':
      return jsonBytes(tx, tree, path, form);
    case 'priority':
      return [Buffer.from(priorityJson(readPriority(tx, tree, path)))].values();
    case 'shallow':
      return shallowJsonBytes(tx, tree, path, selection);
    case 'query':
      return queryJsonBytes(tx, tree, path, selection.query, form);
    default:
      return selection satisfies never;
  }
}

function* childrenPieces(tx: KvRead, tree: StoredTree, path: Path, keys: readonly Key[]): Generator<Buffer> {
  let separator = '{';
  for (const key of keys) {
    yield Buffer.from(`${separator}${JSON.stringify(key)}:`);
    yield* jsonBytes(tx, tree, joinPaths(path, [key]), 'export');
    separator = ',';
  }
  yield Buffer.from('}');
}

function firstKeys(tx: KvRead, tree: StoredTree, path: Path, limit: number): readonly Key[] {
  return Array.from(readChildren(tx, tree, path).take(limit), ({ key }) => key);
}

/** The limits of one read. */
export interface ReadLimits {
  /** Longest response built in one piece, in bytes of JSON text. */
  readonly answerBytes: number;
  /** Maximum amount of stored text that is hashed for one response, in bytes. */
  readonly hashedBytes: number;
}

/** Hashing blocks all other transactions: this much takes a second on a slow machine. */
export const READ_LIMITS: ReadLimits = { answerBytes: 256 * 2 ** 20, hashedBytes: 32 * 2 ** 20 };

const SHA1: Sha1Source = {
  sha1: (text) => hash('sha1', text, 'base64'),
  openSha1: () => {
    const stream = createHash('sha1');
    return {
      update: (text) => {
        stream.update(text);
      },
      base64: () => stream.digest('base64'),
    };
  },
};

export interface StoredDatabaseTreeOptions {
  readonly tx: KvWrite;
  /** `null` for a database without any writes. */
  readonly tree: StoredTree | null;
  readonly create: () => StoredTree;
  /** Must be cleared when the transaction is rolled back. */
  readonly hashes: HashMemory;
  readonly limits: ReadLimits;
}

/** The stored tree of a database, within one transaction. */
export class StoredDatabaseTree implements DatabaseTree {
  readonly #tx: KvWrite;
  readonly #create: () => StoredTree;
  readonly #hashes: HashMemory;
  readonly #limits: ReadLimits;
  #tree: StoredTree | null;

  constructor({ tx, tree, create, hashes, limits }: StoredDatabaseTreeOptions) {
    this.#tx = tx;
    this.#tree = tree;
    this.#create = create;
    this.#hashes = hashes;
    this.#limits = limits;
  }

  nodeJson(path: Path, form: JsonForm, maxBytes?: number): string {
    return this.#join(jsonBytes(this.#tx, this.#readable, path, form), maxBytes);
  }

  selectionJson(path: Path, selection: Selection, form: JsonForm): (tx: KvRead) => Iterator<Buffer> {
    const tree = this.#readable;
    return (tx) => selectionJson(tx, tree, path, selection, form);
  }

  findStoredJson(path: Path, form: JsonForm): Buffer | undefined {
    return findStoredJson(this.#tx, this.#readable, path, form);
  }

  childrenJson(path: Path, keys: readonly Key[], maxBytes?: number): string {
    if (keys.length === 0) return 'null';
    return this.#join(childrenPieces(this.#tx, this.#readable, path, keys), maxBytes);
  }

  childrenPieces(path: Path, keys: readonly Key[]): (tx: KvRead) => Iterator<Buffer> {
    const tree = this.#readable;
    return (tx) => childrenPieces(tx, tree, path, keys);
  }

  findValue(path: Path): IndexValue {
    return readIndexValue(this.#tx, this.#readable, path);
  }

  findPriority(path: Path): Priority {
    return readPriority(this.#tx, this.#readable, path);
  }

  firstKeys(path: Path, limit: number): readonly Key[] {
    return firstKeys(this.#tx, this.#readable, path, limit);
  }

  ruleTree(): ReturnType<DatabaseTree['ruleTree']> {
    const tree = this.#readable;
    return (tx) => ({
      findValue: (path) => readIndexValue(tx, tree, path),
      findPriority: (path) => readPriority(tx, tree, path),
      firstKeys: (path, limit) => firstKeys(tx, tree, path, limit),
    });
  }

  hash(path: Path, maxBytes?: number): string {
    return hashStored(this.#tx, this.#readable, path, this.#openHashing(maxBytes));
  }

  hashSteps(path: Path): (tx: KvRead) => Iterator<void, string> {
    const tree = this.#readable;
    // The shared cache has hashes of the current state, which may differ from that of a snapshot.
    const hashing = { source: SHA1, memory: new HashMemory(), spend: () => undefined };
    return (tx) => hashSteps(tx, tree, path, hashing);
  }

  cachedHashSteps(path: Path, isCurrent: () => boolean): (tx: KvRead) => Iterator<void, string> {
    const tree = this.#readable;
    const hashing = { ...this.#openHashing(), memory: new SharedHashes(this.#hashes, isCurrent) };
    return (tx) => hashSteps(tx, tree, path, hashing);
  }

  childrenHash(path: Path, keys: readonly Key[], maxBytes?: number): string {
    if (keys.length === 0) return '';
    const hashing = this.#openHashing(maxBytes);
    const children = keys.map((key) => {
      const at = joinPaths(path, [key]);
      const hash = hashStored(this.#tx, this.#readable, at, hashing);
      return { key, value: this.findPriority(at), hash };
    });
    children.sort(compareEntries);
    return SHA1.sha1(children.map(({ key, hash }) => `:${key}:${hash}`).join(''));
  }

  findEntry(path: Path, key: Key, index: QueryIndex): Entry | null {
    const at = joinPaths(path, [key]);
    const value = this.findValue(at);
    if (value === null) return null;
    switch (index.kind) {
      case 'key':
        return { value: null, key };
      case 'value':
        return { value, key };
      case 'priority':
        return { value: this.findPriority(at), key };
      case 'child':
        return { value: this.findValue(joinPaths(at, index.path)), key };
      default:
        return index satisfies never;
    }
  }

  readQuery(path: Path, query: Query, scanned?: ScanCount): readonly Entry[] {
    const entries: Entry[] = [];
    for (const { entry } of runQuery(this.#tx, this.#readable, path, query, scanned)) entries.push(entry);
    return query.from === 'left' ? entries : entries.reverse();
  }

  writeNode(path: Path, node: TreeNode | null, json?: string): boolean {
    if (this.#tree === null && node === null) return false;
    this.#tree ??= this.#create();
    this.#hashes.forget(this.#tx, this.#tree, path);
    return writeNode(this.#tx, this.#tree, path, node, json);
  }

  writeNodes<W extends NodeReplacement>(writes: readonly W[]): readonly W[] {
    if (this.#tree === null && writes.every(({ node }) => node === null)) return [];
    this.#tree ??= this.#create();
    for (const { path } of writes) this.#hashes.forget(this.#tx, this.#tree, path);
    return writeNodes(this.#tx, this.#tree, writes);
  }

  findEntryBytes(path: Path): Buffer | null {
    return readEntryBytes(this.#tx, this.#readable, path);
  }

  detachedIndexes(): DetachedIndexes {
    return this.#tree === null
      ? { catalog: [], later: [] }
      : readDetachedIndexes(this.#tx, this.#tree.holder);
  }

  indexCatalog(): readonly CatalogEntry[] {
    return this.#tree === null ? [] : readIndexCatalog(this.#tx, this.#tree.holder);
  }

  sideAt(path: Path): Subtree {
    return readSubtree(this.#tx, this.#readable, path);
  }

  buildTarget(): BuildTarget {
    return { tx: this.#tx, indexesAt: this.#readable.indexesAt };
  }

  link(
    path: Path,
    staged: StagedTree,
    catalog: readonly CatalogEntry[],
    later: readonly CatalogEntry[],
  ): void {
    this.#tree ??= this.#create();
    this.#hashes.forget(this.#tx, this.#tree, path);
    linkStaged(this.#tx, this.#tree, path, staged);
    // A single entry has no indexes below it.
    if (staged.kind === 'node') repeatCatalogChange(this.#tx, this.#tree.holder, catalog, later);
  }

  writePriority(path: Path, priority: Priority): boolean {
    this.#hashes.forget(this.#tx, this.#readable, path);
    return writePriority(this.#tx, this.#readable, path, priority);
  }

  get #readable(): StoredTree {
    return this.#tree ?? NO_TREE;
  }

  #join(pieces: Iterable<Buffer>, maxBytes = this.#limits.answerBytes): string {
    const parts: Buffer[] = [];
    let bytes = 0;
    for (const piece of pieces) {
      parts.push(piece);
      bytes += piece.length;
      if (bytes > maxBytes) throw new RequestError('read/too-big');
    }
    const [only] = parts;
    return (only !== undefined && parts.length === 1 ? only : Buffer.concat(parts)).toString();
  }

  #openHashing(maxBytes = this.#limits.hashedBytes): Hashing {
    let leftBytes = maxBytes;
    const spend = (textBytes: number): void => {
      leftBytes -= textBytes;
      if (leftBytes < 0) throw new RequestError('read/too-big');
    };
    return { source: SHA1, memory: this.#hashes, spend };
  }
}
