import type { Entry, Query, QueryIndex } from '@hearth/core/query/query.ts';
import type { RuleTree } from '@hearth/core/rules/evaluate/values.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { Priority, TreeNode } from '@hearth/core/tree/node.ts';
import type { IndexValue } from '@hearth/core/tree/order.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { RequestContext } from '../../access/authorization-request.ts';
import type { JsonStream } from '../../http/json-output.ts';
import type { KvRead } from '../../storage/kv/store.ts';
import type { BuildTarget } from '../../storage/tree/builder-state.ts';
import type { Subtree } from '../../storage/tree/compare.ts';
import type { CatalogEntry, DetachedIndexes } from '../../storage/tree/index-catalog.ts';
import type { ScanCount } from '../../storage/tree/query.ts';
import type { NodeReplacement, StagedTree } from '../../storage/tree/write.ts';

/** Which part of a node to read. */
export type Selection =
  /** The whole node. */
  | { readonly kind: 'node' }
  /** The priority; JSON `null` if there is no priority. */
  | { readonly kind: 'priority' }
  /**
   * `{"<key>":true,…}` for an object, the value for a leaf, `null` for an absent node. Only keys after
   * `startAfter`, in key order, at most `limit`.
   */
  | { readonly kind: 'shallow'; readonly startAfter: string | null; readonly limit: number | null }
  /** An object of the children that the query selects; `{}` if it selects no children of an existing node. */
  | { readonly kind: 'query'; readonly query: Query };

export interface ReadRequest extends RequestContext {
  readonly path: Path;
  /**
   * Whether the read only completes the response to a write. Such a read is not recorded as a separate
   * operation.
   */
  readonly isFollowUp?: boolean;
  /** `export` keeps priorities. `plain` omits them and shows array-like objects as arrays. */
  readonly form: 'export' | 'plain';
  readonly selection: Selection;
  /** Whether to compute the hash of the whole node. This reads the whole node. */
  readonly wantsHash: boolean;
  /** Longest duration of the response in ms, including the client's reading time. Then the response is aborted. */
  readonly timeoutMs: number;
}

export interface ReadAnswer {
  readonly json: JsonStream;
  /** Hash of the node, `''` if it is absent; `null` unless requested. */
  readonly hash: string | null;
}

/** The reads of a database's tree that broadcasting needs. */
export interface TreeView {
  /** Returns the entry of a child under an index, or `null` if there is no such child. */
  findEntry(path: Path, key: Key, index: QueryIndex): Entry | null;
  /** Returns the children that a query selects, in query order. */
  readQuery(path: Path, query: Query, scanned?: ScanCount): readonly Entry[];
  /**
   * Returns an object of these children as JSON text in export format, or `null` if `keys` is empty. Throws
   * `read/too-big` if it exceeds `maxBytes`, or without it the longest allowed response.
   */
  childrenJson(path: Path, keys: readonly Key[], maxBytes?: number): string;
  /**
   * Returns the node at a path as JSON text. Throws `read/too-big` if it exceeds `maxBytes`, or without it the longest
   * allowed response.
   */
  nodeJson(path: Path, form: 'export' | 'plain', maxBytes?: number): string;
}

/** The tree of a database within one transaction. */
export interface DatabaseTree extends TreeView {
  /**
   * Returns a function that generates the selected part of a node as JSON text in pieces, some of which may be
   * empty. The function accepts any view of the current state: the transaction or a snapshot.
   */
  selectionJson(path: Path, selection: Selection, form: 'export' | 'plain'): (tx: KvRead) => Iterator<Buffer>;
  /**
   * Returns the JSON text of a node if it is stored as such, which is faster than generating it. Otherwise
   * returns `undefined`.
   */
  findStoredJson(path: Path, form: 'export' | 'plain'): Buffer | undefined;
  findValue(path: Path): IndexValue;
  findPriority(path: Path): Priority;
  /** Returns the first children of a node in key order, at most `limit`. */
  firstKeys(path: Path, limit: number): readonly Key[];
  /** Returns a function that opens the tree for rules. The function accepts any view of the current state. */
  ruleTree(): (tx: KvRead) => RuleTree;
  /**
   * Returns a function that generates an object of these children as JSON text in export format, in pieces. The
   * function accepts any view of the current state, like that of `selectionJson`.
   */
  childrenPieces(path: Path, keys: readonly Key[]): (tx: KvRead) => Iterator<Buffer>;
  /**
   * Returns the hash of the node at a path, or `''` if it is absent. Throws `read/too-big` if more than `maxBytes` of
   * stored text would have to be hashed, or without it, if the node is too big to be hashed.
   */
  hash(path: Path, maxBytes?: number): string;
  /** Returns a function that computes this hash in steps, from any view of the current state. */
  hashSteps(path: Path): (tx: KvRead) => Iterator<void, string>;
  /** Like `hashSteps`, but shares what `hash` caches while `isCurrent` returns true. Throws the same error as `hash`. */
  cachedHashSteps(path: Path, isCurrent: () => boolean): (tx: KvRead) => Iterator<void, string>;
  /**
   * Returns the hash of a node that has these children and no priority, or `''` if `keys` is empty. Has the
   * same limit as `hash`.
   */
  childrenHash(path: Path, keys: readonly Key[], maxBytes?: number): string;
  /**
   * Replaces the node at a path. `json` is the node's text in export format, if known. Returns whether anything
   * changed; may return true if a value was replaced by an equal value.
   */
  writeNode(path: Path, node: TreeNode | null, json?: string): boolean;
  /**
   * Like `writeNode` for each of several writes, and faster. No path may be at or above another one, and if one node is
   * removed, all are. Returns the writes for which `writeNode` returns true.
   */
  writeNodes<W extends NodeReplacement>(writes: readonly W[]): readonly W[];
  /** Returns the entry that would hold the node at a path, or `null` if it is absent. Does not read its descendants. */
  findEntryBytes(path: Path): Buffer | null;
  /** Returns the indexes of the nodes that leave the tree now. */
  detachedIndexes(): DetachedIndexes;
  /** Returns the declared indexes. */
  indexCatalog(): readonly CatalogEntry[];
  /** Returns the node at a path for comparison with another tree. */
  sideAt(path: Path): Subtree;
  /** Returns the target for building trees that are linked later. */
  buildTarget(): BuildTarget;
  /**
   * Replaces the node at a path by a subtree that was built for this path. `catalog` has the indexes that were
   * declared when building began, `later` those declared during building.
   */
  link(
    path: Path,
    staged: StagedTree,
    catalog: readonly CatalogEntry[],
    later: readonly CatalogEntry[],
  ): void;
  /** Sets the priority of a node. Returns `false` if the node is absent. */
  writePriority(path: Path, priority: Priority): boolean;
}
