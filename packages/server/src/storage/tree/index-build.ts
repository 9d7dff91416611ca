import type { QueryIndex } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import {
  decodeIndexId,
  decodeNodeId,
  type IndexId,
  indexEntryKey,
  NODE_ID_BYTES,
  type NodeId,
  nodeIndexKey,
  nodeKey,
  WALK_PREFIX,
} from '../kv/keys.ts';
import { encodeSortValue } from '../kv/sort-encoding.ts';
import {
  type KvEntry,
  type KvRange,
  type KvRead,
  type KvWrite,
  keyAfter,
  prefixRange,
  type Table,
} from '../kv/store.ts';
import { decodeEntry, type StoredEntry } from './entry.ts';
import { type IndexWalk, indexesByPath, readIndexCatalog, writeWalk } from './index-catalog.ts';
import {
  addBuildTask,
  entryValueFor,
  readIndexState,
  removeBuildTask,
  writeIndexBuilding,
  writeIndexComplete,
} from './index-maintenance.ts';
import { findChildEntry, scanChildEntries } from './read.ts';

const NOTHING = Buffer.alloc(0);

/**
 * Does background work on indexes for about `maxEntries` entries: finds nodes where declared indexes have to be built
 * or removed, and builds or removes them. Returns the number of entries that it worked on. Fewer than `maxEntries`
 * means that no work is left.
 */
export function indexStep(tx: KvWrite, maxEntries: number): number {
  let done = 0;
  while (done < maxEntries) {
    const task = first(tx, 'build', {});
    const walk = first(tx, 'meta', prefixRange(WALK_PREFIX));
    if (task !== undefined) done += buildNode(tx, task, maxEntries - done);
    else if (walk !== undefined) done += continueWalk(tx, walk, maxEntries - done);
    else return done;
  }
  return done;
}

/** Returns whether `indexStep` has any work. */
export function hasIndexWork(tx: KvRead): boolean {
  return first(tx, 'build', {}) !== undefined || first(tx, 'meta', prefixRange(WALK_PREFIX)) !== undefined;
}

/** Adds the index entries for the next children of one node. Returns the amount of work done, at least 1. */
function buildNode(tx: KvWrite, task: KvEntry, maxEntries: number): number {
  const node = decodeNodeId(task.key);
  const id = decodeIndexId(task.key);
  const index: QueryIndex = JSON.parse(task.value.toString('utf8'));
  const state = readIndexState(tx, node, id);
  if (state.kind !== 'building') {
    removeBuildTask(tx, node, id);
    return 1;
  }
  const range = prefixRange(nodeKey(node));
  const start = Buffer.concat([range.lower, state.reached]);
  let done = 0;
  let reached = state.reached;
  for (const { key, value } of tx.scan('tree', { ...range, lower: keyAfter(start) })) {
    if (done === maxEntries) {
      writeIndexBuilding(tx, node, id, reached);
      return done;
    }
    const bytes = encodeSortValue(entryValueFor(tx, decodeEntry(value), index));
    tx.put('index', indexEntryKey(key, id, bytes), NOTHING);
    reached = key.subarray(NODE_ID_BYTES);
    done += 1;
  }
  writeIndexComplete(tx, node, id);
  removeBuildTask(tx, node, id);
  return done + 1;
}

/** A step of a walk: a child that was visited, or a node that matches the pattern. */
type Step =
  | { readonly kind: 'passed'; readonly path: readonly Key[] }
  | { readonly kind: 'found'; readonly path: readonly Key[]; readonly node: NodeId };

function continueWalk(tx: KvWrite, record: KvEntry, maxEntries: number): number {
  const walk: IndexWalk = JSON.parse(record.value.toString('utf8'));
  const indexesAt = indexesByPath(readIndexCatalog(tx, walk.holder));
  let done = 0;
  for (const step of walkPattern(tx, walk)) {
    // A resumed walk repeats the step at which it stopped, so it must always be able to do at least one step
    // more.
    if (done >= Math.max(maxEntries, walk.pattern.length + 2)) {
      writeWalk(tx, { ...walk, reached: step.path });
      return done;
    }
    done += 1;
    if (step.kind === 'passed') continue;
    if (walk.kind === 'build') {
      startBuilding(tx, walk, step, indexesAt);
      continue;
    }
    const removed = removeIndex(tx, step.node, walk.index.id, maxEntries);
    done += removed;
    if (removed < maxEntries) continue;
    writeWalk(tx, { ...walk, reached: step.path });
    return done;
  }
  tx.remove('meta', record.key);
  return done + 1;
}

function startBuilding(
  tx: KvWrite,
  walk: IndexWalk,
  found: Step & { readonly kind: 'found' },
  indexesAt: ReturnType<typeof indexesByPath>,
): void {
  const isDeclared = indexesAt(found.path).some(({ id }) => id === walk.index.id);
  if (!isDeclared || readIndexState(tx, found.node, walk.index.id).kind !== 'absent') return;
  addBuildTask(tx, found.node, walk.index);
}

/**
 * Removes up to `maxEntries` index entries and states of an index at a node. Returns the number removed; fewer
 * means that none are left.
 */
function removeIndex(tx: KvWrite, node: NodeId, index: IndexId, maxEntries: number): number {
  removeBuildTask(tx, node, index);
  let removed = 0;
  for (const { key } of tx.scan('index', prefixRange(nodeIndexKey(node, index)))) {
    if (removed === maxEntries) break;
    tx.remove('index', key);
    removed += 1;
  }
  return removed;
}

/**
 * Yields the children that the walk passes and the interior nodes that match the pattern, in order, from the path that
 * the walk has reached.
 */
function* walkPattern(tx: KvRead, walk: IndexWalk): Generator<Step> {
  const root = tx.find('tree', nodeKey(walk.holder));
  if (root !== undefined) yield* walkEntry(tx, walk, decodeEntry(root), [], true);
}

function* walkEntry(
  tx: KvRead,
  walk: IndexWalk,
  entry: StoredEntry,
  path: readonly Key[],
  isResuming: boolean,
): Generator<Step> {
  // Only interior nodes have their own indexes.
  if (entry.kind === 'blob') return;
  const part = walk.pattern[path.length];
  if (part === undefined) {
    yield { kind: 'found', path, node: entry.node };
    return;
  }
  const reached = isResuming ? walk.reached[path.length] : undefined;
  if (part !== null) {
    // Patterns come from rules, whose literal keys are valid.
    const key = part as Key;
    const child = findChildEntry(tx, entry.node, key);
    if (child !== undefined) yield* walkEntry(tx, walk, child, [...path, key], reached === key);
    return;
  }
  for (const child of scanChildEntries(tx, entry.node, reached)) {
    const childPath = [...path, child.key];
    yield { kind: 'passed', path: childPath };
    yield* walkEntry(tx, walk, child.entry, childPath, child.key === reached);
  }
}

function first(tx: KvRead, table: Table, range: KvRange): KvEntry | undefined {
  for (const entry of tx.scan(table, range)) return entry;
  return undefined;
}
