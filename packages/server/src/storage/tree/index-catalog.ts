import type { QueryIndex } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import {
  type IndexId,
  indexCatalogKey,
  indexWalkKey,
  META_NEXT_INDEX_ID,
  type NodeId,
  WALK_PREFIX,
} from '../kv/keys.ts';
import { type KvRead, type KvWrite, prefixRange } from '../kv/store.ts';
import { FIRST_DECLARED_INDEX_ID } from './index-maintenance.ts';
import { allocateId, type StoredIndex } from './stored-tree.ts';

/**
 * A path pattern in the rules. Each part is a key, or `null` for a wildcard. A wildcard matches every key that
 * has no literal sibling pattern.
 */
export type Pattern = readonly (string | null)[];

/**
 * The indexes that a path pattern in the rules declares. The list may be empty, because such a pattern still
 * shadows a wildcard.
 */
export interface Declaration {
  readonly pattern: Pattern;
  readonly indexes: readonly QueryIndex[];
}

/** An index declaration whose indexes have ids. */
export interface CatalogEntry {
  readonly pattern: Pattern;
  readonly indexes: readonly StoredIndex[];
}

/** A walk over the nodes that a pattern matches, to start building an index there or to remove it. */
export interface IndexWalk {
  readonly kind: 'build' | 'retire';
  readonly holder: NodeId;
  readonly pattern: Pattern;
  readonly index: StoredIndex;
  /** The path that the walk has reached. */
  readonly reached: readonly string[];
}

/** Returns the declared indexes of the database under `holder`. */
export function readIndexCatalog(tx: KvRead, holder: NodeId): readonly CatalogEntry[] {
  const record = tx.find('meta', indexCatalogKey(holder));
  return record === undefined ? [] : JSON.parse(record.toString('utf8'));
}

/**
 * Replaces the declared indexes of a database. Unchanged indexes keep their ids. `indexStep` builds new ones
 * and removes old ones in the background. An index is also replaced if a pattern begins or ceases to shadow its
 * wildcard, because its nodes may then be different.
 */
export function changeIndexCatalog(
  tx: KvWrite,
  holder: NodeId,
  declared: readonly Declaration[],
): readonly CatalogEntry[] {
  const before = readIndexCatalog(tx, holder);
  const changedPatterns = [
    ...before.filter(({ pattern }) => !hasPattern(declared, pattern)),
    ...declared.filter(({ pattern }) => !hasPattern(before, pattern)),
  ];
  const kept = new Set<IndexId>();
  const after = declared.map(({ pattern, indexes }): CatalogEntry => {
    const isCoverageSame = !changedPatterns.some((changed) => isShadowing(changed.pattern, pattern));
    const known = before.find((entry) => isSame(entry.pattern, pattern))?.indexes ?? [];
    const stored = indexes.map((index): StoredIndex => {
      const same = isCoverageSame ? known.find((candidate) => isSame(candidate.index, index)) : undefined;
      if (same !== undefined) {
        kept.add(same.id);
        return same;
      }
      const added = { id: allocateId(tx, META_NEXT_INDEX_ID, FIRST_DECLARED_INDEX_ID), index };
      writeWalk(tx, { kind: 'build', holder, pattern, index: added, reached: [] });
      return added;
    });
    return { pattern, indexes: stored };
  });
  for (const { pattern, indexes } of before)
    for (const index of indexes)
      if (!kept.has(index.id)) writeWalk(tx, { kind: 'retire', holder, pattern, index, reached: [] });
  tx.put('meta', indexCatalogKey(holder), Buffer.from(JSON.stringify(after)));
  return after;
}

/**
 * Repeats the changes since the catalog was `before`, for nodes that became part of the database afterwards.
 * These nodes have the indexes of `before`. They may also have some of the indexes in `later`, which were
 * declared in the meantime and may have been removed again.
 */
export function repeatCatalogChange(
  tx: KvWrite,
  holder: NodeId,
  before: readonly CatalogEntry[],
  later: readonly CatalogEntry[] = [],
): void {
  const after = readIndexCatalog(tx, holder);
  const walk = (
    kind: IndexWalk['kind'],
    entries: readonly CatalogEntry[],
    others: readonly CatalogEntry[],
  ): void => {
    const known = new Set(others.flatMap(({ indexes }) => indexes.map(({ id }) => id)));
    for (const { pattern, indexes } of entries)
      for (const index of indexes)
        if (!known.has(index.id)) writeWalk(tx, { kind, holder, pattern, index, reached: [] });
  };
  walk('build', after, before);
  walk('retire', [...before, ...later], after);
}

/** The indexes of a node that leaves a database and may be linked again: see `repeatCatalogChange`. */
export interface DetachedIndexes {
  /** The indexes that the node certainly has as far as the catalog declares them. */
  readonly catalog: readonly CatalogEntry[];
  /** Indexes that are being built or removed, so that the node may have them. */
  readonly later: readonly CatalogEntry[];
}

/** Returns the indexes that the nodes of a database have now. */
export function readDetachedIndexes(tx: KvRead, holder: NodeId): DetachedIndexes {
  const walks = [...tx.scan('meta', prefixRange(WALK_PREFIX))]
    .map(({ value }): IndexWalk => JSON.parse(value.toString('utf8')))
    .filter((walk) => walk.holder === holder);
  const unsettled = new Set(walks.map(({ index }) => index.id));
  const catalog = readIndexCatalog(tx, holder).map(({ pattern, indexes }) => ({
    pattern,
    indexes: indexes.filter(({ id }) => !unsettled.has(id)),
  }));
  return { catalog, later: walks.map(({ pattern, index }) => ({ pattern, indexes: [index] })) };
}

export function writeWalk(tx: KvWrite, walk: IndexWalk): void {
  tx.put('meta', indexWalkKey(walk.index.id), Buffer.from(JSON.stringify(walk)));
}

interface PatternNode {
  readonly literals: Map<string, PatternNode>;
  wildcard: PatternNode | undefined;
  indexes: readonly StoredIndex[];
}

const NO_INDEXES: readonly StoredIndex[] = [];

/**
 * Returns a function that returns the indexes at a path. At each level it follows the literal key if a pattern
 * has it, otherwise the wildcard. It never backtracks to try the other.
 */
export function indexesByPath(
  catalog: readonly CatalogEntry[],
): (path: readonly Key[]) => readonly StoredIndex[] {
  const root = patternNode();
  for (const { pattern, indexes } of catalog) {
    let here = root;
    for (const part of pattern) here = part === null ? wildcardOf(here) : literalOf(here, part);
    here.indexes = [...here.indexes, ...indexes];
  }
  return (path) => {
    let here: PatternNode | undefined = root;
    for (const key of path) {
      here = here.literals.get(key) ?? here.wildcard;
      if (here === undefined) return NO_INDEXES;
    }
    return here.indexes;
  };
}

function patternNode(): PatternNode {
  return { literals: new Map(), wildcard: undefined, indexes: NO_INDEXES };
}

function wildcardOf(node: PatternNode): PatternNode {
  node.wildcard ??= patternNode();
  return node.wildcard;
}

function literalOf(node: PatternNode, key: string): PatternNode {
  const known = node.literals.get(key);
  if (known !== undefined) return known;
  const added = patternNode();
  node.literals.set(key, added);
  return added;
}

function hasPattern(entries: readonly { readonly pattern: Pattern }[], pattern: Pattern): boolean {
  return entries.some((entry) => isSame(entry.pattern, pattern));
}

/** Returns whether a literal key of `upper` shadows a wildcard of `lower`. */
function isShadowing(upper: Pattern, lower: Pattern): boolean {
  const fork = lower.findIndex((part, index) => part !== upper[index]);
  return lower[fork] === null && typeof upper[fork] === 'string';
}

/**
 * Returns whether two patterns or indexes are equal. The same code creates both as small JSON values, so it is
 * enough to compare their texts.
 */
function isSame(a: Pattern | QueryIndex, b: Pattern | QueryIndex): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
