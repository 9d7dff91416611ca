import { must } from '@hearth/core/error/assert.ts';
import { parseKey } from '@hearth/core/tree/key.ts';
import { priorityJson } from '@hearth/core/tree/node-json.ts';
import { OBJECT } from '@hearth/core/tree/order.ts';
import { formatPath, type Path, pathOf, type WriteTarget } from '@hearth/core/tree/path.ts';
import type { Commit } from '../../storage/log/commit.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { decodeEntry } from '../../storage/tree/entry.ts';
import type { Database } from '../database/database.ts';
import type { DatabaseTree } from '../database/tree-view.ts';
import { createKeptTree, keepEntry } from './kept-tree.ts';
import {
  addCommits,
  allocateChangeId,
  type ChangeKind,
  type ChangeRecord,
  countChanges,
  type Former,
  findChange,
  MAX_CHANGES,
  MAX_COPIED_BYTES,
  MAX_FORMERS,
  MAX_NAMED_PATHS,
  putChange,
  putFormers,
  readOldestChanges,
  releaseChange,
  removeChange,
} from './record.ts';

/** The kind and the author of a change that is being recorded. */
export interface ChangeDraft {
  readonly kind: ChangeKind;
  /** The name of the administrator. */
  readonly author: string;
  readonly undoes?: number;
}

/** The nodes that a write replaces, as they are before it. */
interface CapturedNodes {
  readonly nodes: readonly CapturedNode[];
  /** The existing nodes above the written paths that have a priority. */
  readonly prioritized: readonly Path[];
  /** The priorities of these nodes. */
  readonly priorities: readonly string[];
}

type CapturedNode =
  | { readonly kind: 'node'; readonly path: Path; readonly entry: Buffer | null }
  | { readonly kind: 'priority'; readonly path: Path; readonly json: string };

/**
 * Makes writes and records them as one change, which can be undone later. `targets` are the paths that `write` may
 * write, none at or above another. Returns the id of the change, or `null` if nothing was written.
 */
export function recordChange(
  transaction: WriteTransaction,
  database: Database,
  draft: ChangeDraft,
  targets: readonly WriteTarget[],
  write: () => readonly Commit[],
): number | null {
  const tree = database.tree(transaction);
  const captured = captureNodes(tree, targets);
  const indexes = tree.detachedIndexes();
  const commits = write();
  if (commits.length === 0) return null;
  const { tx } = transaction;
  removeSurplus(transaction, database.name);
  const record: ChangeRecord = {
    v: 1,
    id: allocateChangeId(tx, database.name),
    kind: draft.kind,
    timeMs: transaction.commitTimeMs(database.name),
    author: draft.author,
    paths: [],
    count: 0,
    ranges: [],
    isOpen: false,
    isWhole: false,
    kept: createKeptTree(tx),
    indexes,
    parts: 0,
    bytes: 0,
    isMeasured: true,
    final: null,
    undoes: draft.undoes ?? null,
    undoneBy: null,
  };
  addToChange(transaction, database.name, tree, record, { targets, captured, commits });
  return record.id;
}

/**
 * Makes writes of an import, all at or below `base`, and adds them to the import's change. Starts the change if `id`
 * is `null`; `closeChange` completes it. Returns its id, or `null` if nothing was written yet.
 */
export function recordImport(
  transaction: WriteTransaction,
  database: Database,
  draft: ChangeDraft,
  { id, base, paths }: { readonly id: number | null; readonly base: Path; readonly paths: readonly Path[] },
  write: () => readonly Commit[],
): number | null {
  const { tx } = transaction;
  const tree = database.tree(transaction);
  if (id === null) {
    // If its path has no children, the import is undone as a whole, with any number of children.
    const isWhole = tree.findValue(base) !== OBJECT;
    const targets = (isWhole ? [base] : paths).map(nodeTarget);
    const made = recordChange(transaction, database, draft, targets, write);
    const record = made === null ? undefined : findChange(tx, database.name, made);
    if (record !== undefined) putChange(tx, database.name, { ...record, isOpen: true, isWhole });
    return made;
  }
  const record = findChange(tx, database.name, id);
  if (record === undefined || record.kept === null) {
    write();
    return id;
  }
  const targets = record.isWhole ? [] : paths.map(nodeTarget);
  const captured = captureNodes(tree, targets);
  const commits = write();
  if (commits.length > 0)
    addToChange(transaction, database.name, tree, record, { targets, captured, commits });
  return id;
}

/** Marks the change of an import as complete. */
export function closeChange(transaction: WriteTransaction, database: string, id: number): void {
  const record = findChange(transaction.tx, database, id);
  if (record?.isOpen) putChange(transaction.tx, database, { ...record, isOpen: false });
}

function nodeTarget(path: Path): WriteTarget {
  return { path, isPriority: false };
}

interface AddedWrites {
  readonly targets: readonly WriteTarget[];
  /** `null` if the writes replaced too much. */
  readonly captured: CapturedNodes | null;
  readonly commits: readonly Commit[];
}

/** Adds writes and the nodes that they replaced to a change. */
function addToChange(
  { tx }: WriteTransaction,
  database: string,
  tree: DatabaseTree,
  record: ChangeRecord,
  { targets, captured, commits }: AddedWrites,
): void {
  const named = targets.slice(0, MAX_NAMED_PATHS - record.paths.length);
  const ranges = addCommits(record.ranges, commits);
  const after: ChangeRecord = {
    ...record,
    paths: [
      ...record.paths,
      ...named.map(({ path, isPriority }) => `/${formatPath(path)}${isPriority ? '/.priority' : ''}`),
    ],
    count: record.count + targets.length,
    ranges: ranges ?? record.ranges,
  };
  if (captured === null || ranges === undefined || after.count > MAX_FORMERS) {
    releaseChange(tx, database, after, { final: 'too-large' });
    return;
  }
  const kept = must(record.kept, 'the change keeps what it replaced');
  let { bytes, isMeasured } = record;
  const formers: Former[] = captured.nodes.map((node, index): Former => {
    const path = formatPath(node.path);
    if (node.kind === 'priority') return { kind: 'priority', path, json: node.json };
    if (node.entry === null) return { kind: 'absent', path };
    const name = `${record.parts}-${index}`;
    keepEntry(tx, kept, parseKey(name), node.entry);
    bytes += node.entry.length;
    if (decodeEntry(node.entry).kind === 'reference') isMeasured = false;
    return { kind: 'node', path, name };
  });
  captured.prioritized.forEach((path, index) => {
    const json = must(captured.priorities[index], 'every such node has a priority');
    if (priorityJson(tree.findPriority(path)) !== json)
      formers.push({ kind: 'priority', path: formatPath(path), json });
  });
  if (formers.length > 0) putFormers(tx, database, record.id, record.parts, formers);
  putChange(tx, database, {
    ...after,
    bytes,
    isMeasured,
    parts: record.parts + (formers.length > 0 ? 1 : 0),
  });
}

/**
 * Returns the nodes at the paths, or `null` if they are too many or too large. A write below a value replaces the
 * value, so the value is captured.
 */
function captureNodes(tree: DatabaseTree, targets: readonly WriteTarget[]): CapturedNodes | null {
  if (targets.length > MAX_FORMERS) return null;
  const above = new NodesAbove(tree);
  const nodes = new Map<string, CapturedNode>();
  let bytes = 0;
  for (const { path, isPriority } of targets) {
    if (isPriority) {
      const json = priorityJson(tree.findPriority(path));
      nodes.set(`${formatPath(path)}/.priority`, { kind: 'priority', path, json });
      continue;
    }
    const at = above.findValue(path) ?? path;
    const entry = tree.findEntryBytes(at);
    bytes += entry?.length ?? 0;
    if (bytes > MAX_COPIED_BYTES && nodes.size > 0) return null;
    nodes.set(formatPath(at), { kind: 'node', path: at, entry });
  }
  const prioritized = above.prioritized();
  return { nodes: [...nodes.values()], ...prioritized };
}

interface NodeAbove {
  readonly path: Path;
  readonly kind: 'absent' | 'value' | 'object';
  /** The priority as JSON text. */
  readonly priority: string;
}

/** The nodes above written paths. Each is read once. */
class NodesAbove {
  readonly #tree: DatabaseTree;
  readonly #known = new Map<string, NodeAbove>();

  constructor(tree: DatabaseTree) {
    this.#tree = tree;
  }

  /** Returns the path of the value above a path, if there is one. */
  findValue(path: Path): Path | undefined {
    for (let depth = 0; depth < path.length; depth += 1) {
      const above = this.#read(pathOf(path.slice(0, depth)));
      if (above.kind === 'value') return above.path;
      if (above.kind === 'absent') return undefined;
    }
    return undefined;
  }

  prioritized(): Pick<CapturedNodes, 'prioritized' | 'priorities'> {
    const found = [...this.#known.values()].filter(
      ({ kind, priority }) => kind === 'object' && priority !== 'null',
    );
    return {
      prioritized: found.map(({ path }) => path),
      priorities: found.map(({ priority }) => priority),
    };
  }

  #read(path: Path): NodeAbove {
    const key = formatPath(path);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const value = this.#tree.findValue(path);
    const kind = value === null ? 'absent' : value === OBJECT ? 'object' : 'value';
    const priority = kind === 'object' ? priorityJson(this.#tree.findPriority(path)) : 'null';
    const read = { path, kind, priority } as const;
    this.#known.set(key, read);
    return read;
  }
}

/** Removes the oldest change if the database already has the maximum number of changes. */
function removeSurplus({ tx }: WriteTransaction, database: string): void {
  if (countChanges(tx, database) < MAX_CHANGES) return;
  const [oldest] = readOldestChanges(tx, database);
  if (oldest !== undefined) removeChange(tx, database, oldest);
}
