import { parseIndex, type QueryIndex } from '@hearth/core/query/query.ts';
import type { Turn } from '../commit/turn.ts';
import { decodeNodeId, type NodeId, nodeKey } from '../kv/keys.ts';
import type { KvRead } from '../kv/store.ts';
import type { RuleNode, RuleSet } from '../rules/rule-set.ts';
import { HashMemory } from '../tree/hash-memory.ts';
import {
  type CatalogEntry,
  changeIndexCatalog,
  type Declaration,
  indexesByPath,
  type Pattern,
  readIndexCatalog,
} from '../tree/index-catalog.ts';
import { allocateNodeId, type StoredTree } from '../tree/stored-tree.ts';
import { READ_LIMITS, StoredDatabaseTree } from './stored-database-tree.ts';
import type { DatabaseTree } from './tree-view.ts';

/** Most trees remembered; beyond, all are forgotten and read again when needed. */
const MAX_REMEMBERED = 10_000;

/**
 * Which databases there are, in the table `meta`: `database/<name>` holds the id of the tree's root (6 bytes, big-endian),
 * `rules/<name>` the source of uploaded rules in UTF-8.
 */
export class DatabaseDirectory {
  readonly #trees = new Map<string, StoredTree>();
  readonly #hashes = new HashMemory();

  /** The source of the uploaded rules, if there are any. */
  findRules(tx: KvRead, name: string): string | undefined {
    return tx.find('meta', rulesKey(name))?.toString();
  }

  /** Keeps uploaded rules; indexes that they newly declare are built in the background. */
  writeRules(turn: Turn, name: string, rules: RuleSet): void {
    const { holder } = this.#findTree(turn, name) ?? this.#createTree(turn, name);
    turn.tx.put('meta', rulesKey(name), Buffer.from(rules.source));
    const catalog = changeIndexCatalog(turn.tx, holder, indexDeclarations(rules));
    this.#remember(turn, name, storedTree(holder, catalog));
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
    const record = turn.tx.find('meta', treeKey(name));
    if (record === undefined) return undefined;
    const holder = decodeNodeId(record);
    return this.#remember(turn, name, storedTree(holder, readIndexCatalog(turn.tx, holder)));
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

/** Every place of the rules with the indexes it declares, for the tree's catalog; none if there is no index at all. */
function indexDeclarations(rules: RuleSet): readonly Declaration[] {
  const declarations: Declaration[] = [];
  collectDeclarations(rules.root, [], declarations);
  return declarations.some(({ indexes }) => indexes.length > 0) ? declarations : [];
}

function collectDeclarations(rule: RuleNode, pattern: Pattern, into: Declaration[]): void {
  into.push({ pattern, indexes: rule.indexOn.map((name): QueryIndex => parseIndex(name)) });
  for (const [key, child] of rule.children) collectDeclarations(child, [...pattern, key], into);
  if (rule.wildcard !== null) collectDeclarations(rule.wildcard, [...pattern, null], into);
}

function treeKey(name: string): Buffer {
  return Buffer.from(`database/${name}`, 'latin1');
}

function rulesKey(name: string): Buffer {
  return Buffer.from(`rules/${name}`, 'latin1');
}
