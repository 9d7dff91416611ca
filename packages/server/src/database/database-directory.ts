import { indexDeclarations } from '@hearth/core/rules/index-declarations.ts';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';
import type { Turn } from '../commit/turn.ts';
import { decodeNodeId, type NodeId, nodeKey } from '../kv/keys.ts';
import { type KvRead, keyAfter, prefixRange } from '../kv/store.ts';
import { HashMemory } from '../tree/hash-memory.ts';
import {
  type CatalogEntry,
  changeIndexCatalog,
  indexesByPath,
  readIndexCatalog,
} from '../tree/index-catalog.ts';
import { allocateNodeId, type StoredTree } from '../tree/stored-tree.ts';
import { isBookDatabase } from './book-name.ts';
import { READ_LIMITS, StoredDatabaseTree } from './stored-database-tree.ts';
import type { DatabaseTree } from './tree-view.ts';

/** Most trees remembered; beyond, all are forgotten and read again when needed. */
const MAX_REMEMBERED = 10_000;

/**
 * Which databases there are, in the table `meta`: `database/<name>` holds the id of the tree's root (6 bytes, big-endian),
 * `rules/<name>` the source of published rules in UTF-8.
 */
export class DatabaseDirectory {
  readonly #trees = new Map<string, StoredTree>();
  readonly #hashes = new HashMemory();

  /** Keeps published rules; indexes that they newly declare are built in the background. */
  writeRules(turn: Turn, name: string, rules: RuleSet): void {
    const { holder } = this.#findTree(turn, name) ?? this.#createTree(turn, name);
    turn.tx.put('meta', rulesKey(name), Buffer.from(rules.source));
    const catalog = changeIndexCatalog(turn.tx, holder, indexDeclarations(rules));
    this.#remember(turn, name, storedTree(holder, catalog));
  }

  /** Is there a database of this name? */
  has(turn: Turn, name: string): boolean {
    return this.#findTree(turn, name) !== undefined;
  }

  /** Makes an empty database. Was there none of this name? */
  create(turn: Turn, name: string): boolean {
    if (this.has(turn, name)) return false;
    this.#createTree(turn, name);
    return true;
  }

  /** Names of the databases of owners of data, in order: those after a name, at most `limit`. */
  names(tx: KvRead, after: string, limit: number): readonly string[] {
    return this.allNames(tx, after, limit, (name) => !isBookDatabase(name));
  }

  /** The same of all databases, or of those that a condition holds for. */
  allNames(
    tx: KvRead,
    after: string,
    limit: number,
    isWanted: (name: string) => boolean = () => true,
  ): readonly string[] {
    const range = { ...prefixRange(treeKey('')), lower: keyAfter(treeKey(after)) };
    const names: string[] = [];
    for (const { key } of tx.scan('meta', range)) {
      if (names.length >= limit) break;
      const name = key.toString('latin1').slice(treeKey('').length);
      if (isWanted(name)) names.push(name);
    }
    return names;
  }

  /** The tree of a database within a turn. It is created by the first write. */
  openTree(turn: Turn, name: string): DatabaseTree {
    // Hashes may have been taken of what a failed turn had written.
    turn.onUndo(() => this.#hashes.clear());
    return new StoredDatabaseTree({
      tx: turn.tx,
      tree: this.#findTree(turn, name) ?? null,
      create: () => this.#createTree(turn, name),
      hashes: this.#hashes,
      limits: READ_LIMITS,
    });
  }

  #findTree(turn: Turn, name: string): StoredTree | undefined {
    const known = this.#trees.get(name);
    if (known !== undefined) return known;
    const stored = findStoredTree(turn.tx, name);
    return stored === undefined ? undefined : this.#remember(turn, name, stored);
  }

  #createTree(turn: Turn, name: string): StoredTree {
    const holder = allocateNodeId(turn.tx);
    turn.tx.put('meta', treeKey(name), nodeKey(holder));
    return this.#remember(turn, name, storedTree(holder, []));
  }

  #remember(turn: Turn, name: string, tree: StoredTree): StoredTree {
    if (this.#trees.size >= MAX_REMEMBERED) this.#trees.clear();
    this.#trees.set(name, tree);
    // What was read in a turn that fails may have been written by it.
    turn.onUndo(() => this.#trees.delete(name));
    return tree;
  }
}

function storedTree(holder: NodeId, catalog: readonly CatalogEntry[]): StoredTree {
  return { holder, indexesAt: indexesByPath(catalog) };
}

/** The source of the rules that were published for a database, if there are any. */
export function findRules(tx: KvRead, name: string): string | undefined {
  return tx.find('meta', rulesKey(name))?.toString();
}

/** The tree of a database as it is stored, if there is one. */
export function findStoredTree(tx: KvRead, name: string): StoredTree | undefined {
  const record = tx.find('meta', treeKey(name));
  if (record === undefined) return undefined;
  const holder = decodeNodeId(record);
  return storedTree(holder, readIndexCatalog(tx, holder));
}

function treeKey(name: string): Buffer {
  return Buffer.from(`database/${name}`, 'latin1');
}

function rulesKey(name: string): Buffer {
  return Buffer.from(`rules/${name}`, 'latin1');
}
