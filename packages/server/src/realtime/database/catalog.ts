import { indexDeclarations, type RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { rulesKey } from '../../rules/publishing/versions.ts';
import { decodeNodeId, type NodeId, nodeKey } from '../../storage/kv/keys.ts';
import { type KvRead, keyAfter, prefixRange } from '../../storage/kv/store.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { HashMemory } from '../../storage/tree/digest.ts';
import {
  type CatalogEntry,
  changeIndexCatalog,
  indexesByPath,
  readIndexCatalog,
} from '../../storage/tree/index-catalog.ts';
import { allocateNodeId, type StoredTree } from '../../storage/tree/stored-tree.ts';
import { READ_LIMITS, StoredDatabaseTree } from './stored-tree.ts';
import type { DatabaseTree } from './tree-view.ts';

/** Prefix of the names of Hearth's internal databases. A request cannot name such a database. */
const MARK = '!';

/** Returns the name of the internal database that holds one of Hearth's record stores. */
export function recordDatabase(records: string): string {
  return `${MARK}${records}`;
}

/** Returns whether this is the internal database of a record store and not an application's database. */
export function isRecordDatabase(name: string): boolean {
  return name.startsWith(MARK);
}

/** Returns the record store that a database holds, or `undefined` for an application's database. */
export function findRecords(name: string): string | undefined {
  return isRecordDatabase(name) ? name.slice(MARK.length) : undefined;
}

/** Maximum number of trees in the cache. When it is full, it is cleared and trees are read again when needed. */
const MAX_CACHED = 10_000;

/**
 * The catalog of databases, in the table `meta`: `database/<name>` holds the id of the tree's root (6 bytes,
 * big-endian), `rules/<name>` holds the source of the published rules in UTF-8.
 */
export class DatabaseCatalog {
  readonly #trees = new Map<string, StoredTree>();
  readonly #hashes = new HashMemory();

  /** Stores published rules. Indexes that the rules newly declare are built in the background. */
  writeRules(transaction: WriteTransaction, name: string, rules: RuleSet): void {
    const { holder } = this.#findTree(transaction, name) ?? this.#createTree(transaction, name);
    transaction.tx.put('meta', rulesKey(name), Buffer.from(rules.source));
    const catalog = changeIndexCatalog(transaction.tx, holder, indexDeclarations(rules));
    this.#cache(transaction, name, storedTree(holder, catalog));
  }

  has(transaction: WriteTransaction, name: string): boolean {
    return this.#findTree(transaction, name) !== undefined;
  }

  /** Like `has`, for a reader without a transaction. */
  isStored(tx: KvRead, name: string): boolean {
    return tx.find('meta', treeKey(name)) !== undefined;
  }

  /** Creates an empty database. Returns false if the name is already in use. */
  create(transaction: WriteTransaction, name: string): boolean {
    if (this.has(transaction, name)) return false;
    this.#createTree(transaction, name);
    return true;
  }

  /** Returns the names of application databases in order: those after `after`, at most `limit`. */
  names(tx: KvRead, after: string, limit: number): readonly string[] {
    return this.allNames(tx, after, limit, (name) => !isRecordDatabase(name));
  }

  /** Like `names`, but for all databases, or for those that `isWanted` accepts. */
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

  /** Opens the tree of a database within a transaction. The first write creates the tree. */
  openTree(transaction: WriteTransaction, name: string): DatabaseTree {
    // The cache may contain hashes of nodes that a failed transaction wrote.
    transaction.onRollback(() => this.#hashes.clear());
    return new StoredDatabaseTree({
      tx: transaction.tx,
      tree: this.#findTree(transaction, name) ?? null,
      create: () => this.#createTree(transaction, name),
      hashes: this.#hashes,
      limits: READ_LIMITS,
    });
  }

  #findTree(transaction: WriteTransaction, name: string): StoredTree | undefined {
    const known = this.#trees.get(name);
    if (known !== undefined) return known;
    const stored = findStoredTree(transaction.tx, name);
    return stored === undefined ? undefined : this.#cache(transaction, name, stored);
  }

  #createTree(transaction: WriteTransaction, name: string): StoredTree {
    const holder = allocateNodeId(transaction.tx);
    transaction.tx.put('meta', treeKey(name), nodeKey(holder));
    return this.#cache(transaction, name, storedTree(holder, []));
  }

  #cache(transaction: WriteTransaction, name: string, tree: StoredTree): StoredTree {
    if (this.#trees.size >= MAX_CACHED) this.#trees.clear();
    this.#trees.set(name, tree);
    // A transaction that fails may itself have written the tree that it read.
    transaction.onRollback(() => this.#trees.delete(name));
    return tree;
  }
}

function storedTree(holder: NodeId, catalog: readonly CatalogEntry[]): StoredTree {
  return { holder, indexesAt: indexesByPath(catalog) };
}

/** Returns the stored tree of a database, or `undefined` if the database does not exist. */
export function findStoredTree(tx: KvRead, name: string): StoredTree | undefined {
  const record = tx.find('meta', treeKey(name));
  if (record === undefined) return undefined;
  const holder = decodeNodeId(record);
  return storedTree(holder, readIndexCatalog(tx, holder));
}

function treeKey(name: string): Buffer {
  return Buffer.from(`database/${name}`, 'latin1');
}
