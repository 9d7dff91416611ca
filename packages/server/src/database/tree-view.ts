import type { Entry, Query, QueryIndex } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { Priority, TreeNode } from '@hearth/core/tree/node.ts';
import type { IndexValue } from '@hearth/core/tree/order.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { KvRead } from '../kv/store.ts';
import type { Side } from '../tree/compare-trees.ts';
import type { BuildTarget } from '../tree/container-stack.ts';
import type { CatalogEntry } from '../tree/index-catalog.ts';
import type { StagedTree } from '../tree/link-staged.ts';
import type { LookedAt } from '../tree/run-query.ts';
import type { Selection } from './read-request.ts';

/** What telling listeners needs to read of a database's tree. */
export interface TreeView {
  /** The place of a child under an index; `null` when there is no such child. */
  findEntry(path: Path, key: Key, index: QueryIndex): Entry | null;
  /** The children that a query shows, in query order. */
  readQuery(path: Path, query: Query, lookedAt?: LookedAt): readonly Entry[];
  /**
   * An object of these children as JSON text in export form; `null` when there are none. Refuses with `read/too-big` more
   * than the largest answer.
   */
  childrenJson(path: Path, keys: readonly Key[]): string;
  /** The node at a place as JSON text. Refuses with `read/too-big` more than the largest answer. */
  nodeJson(path: Path, form: 'export' | 'plain'): string;
}

/** The tree of a database within one transaction. */
export interface DatabaseTree extends TreeView {
  /**
   * What is selected of a place, as JSON text in pieces, some of them without bytes. The result makes it from any view of
   * the present state: the turn's own, or a snapshot.
   */
  selectionJson(path: Path, selection: Selection, form: 'export' | 'plain'): (tx: KvRead) => Iterator<Buffer>;
  /** The JSON text at a place if it is stored as such, which is quicker than to put it together; else `undefined`. */
  findStoredJson(path: Path, form: 'export' | 'plain'): Buffer | undefined;
  findValue(path: Path): IndexValue;
  findPriority(path: Path): Priority;
  /** The first children of a node in key order, `limit` at most. */
  firstKeys(path: Path, limit: number): readonly Key[];
  /** Hash of the node at a place; `''` when there is none. Refuses with `read/too-big` what is too big to be hashed. */
  hash(path: Path): string;
  /** Hash of an inner node of these children without a priority, with the same limit; `''` when there are none. */
  childrenHash(path: Path, keys: readonly Key[]): string;
  /**
   * Replaces the node at a place; `json` is its text in export form, if known. Did anything change place or value? May say
   * yes when a value replaced its equal.
   */
  writeNode(path: Path, node: TreeNode | null, json?: string): boolean;
  /** The indexes that are declared. */
  indexCatalog(): readonly CatalogEntry[];
  /** What is at a place, to be compared with another tree. */
  sideAt(path: Path): Side;
  /** Where trees are built that are to be linked. */
  buildTarget(): BuildTarget;
  /**
   * Replaces the node at the path that a subtree was built for by that subtree. `catalog` is what was declared when building
   * began, `later` what else was declared meanwhile.
   */
  link(
    path: Path,
    staged: StagedTree,
    catalog: readonly CatalogEntry[],
    later: readonly CatalogEntry[],
  ): void;
  /** Sets the priority of a node; `false` when there is no node. */
  writePriority(path: Path, priority: Priority): boolean;
}
