import { RequestError } from '@hearth/core/error/request-error.ts';
import { resolveDraftWrites } from '@hearth/core/rules/evaluate/operation.ts';
import { CombinedWrites } from '@hearth/core/tree/combined-writes.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { OBJECT } from '@hearth/core/tree/order.ts';
import { formatPath, type Path, pathOf } from '@hearth/core/tree/path.ts';
import type { RequestContext } from '../../access/authorization-request.ts';
import {
  authorOf,
  type Commit,
  nodeWrite,
  priorityWrite,
  type ValueWrite,
} from '../../storage/log/commit.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { ChangeDraft } from '../changes/recorder.ts';
import { authorizeWrite, mayWrite } from './authorize.ts';
import { Publication, profileBroadcast } from './broadcast.ts';
import type { Database } from './database.ts';
import { findHash } from './hash-steps.ts';
import type { DatabaseTree } from './tree-view.ts';
import type { DraftWrite, ExpectedNode } from './write-input.ts';

/**
 * Preconditions of a write. Only principals that may read everything may set them, because they reveal the
 * stored data.
 */
export interface WriteConditions {
  readonly expected: readonly ExpectedNode[];
  /** Whether to reject a write below a leaf, which would otherwise replace the leaf. */
  readonly keepsValues: boolean;
}

/** The error of a write whose precondition failed. */
export class StaleWrite extends RequestError {
  /** The current hashes of all paths whose precondition failed. */
  readonly found: readonly ExpectedNode[];

  constructor(found: readonly ExpectedNode[]) {
    super('write/stale');
    this.found = found;
  }
}

/**
 * Returns the current hashes of the nodes that differ from what is expected. Throws `PostponedRequest` until all are
 * hashed, and `read/too-big` if one is too big.
 */
function findChanged(
  transaction: WriteTransaction,
  database: Database,
  context: RequestContext,
  expected: readonly ExpectedNode[],
): readonly ExpectedNode[] {
  return expected.flatMap((node) => {
    const { path } = node;
    const { hash, isCurrent } = findHash(transaction, database, context, path, node);
    return isCurrent && hash === node.hash ? [] : [{ path, hash }];
  });
}

/** Throws `StaleWrite` or `write/below-value`. `found` are the hashes that differ from what is expected. */
function requireConditions(
  tree: DatabaseTree,
  writes: readonly ValueWrite[],
  { keepsValues }: WriteConditions,
  found: readonly ExpectedNode[],
): void {
  if (found.length > 0) throw new StaleWrite(found);
  if (!keepsValues) return;
  const parents = new Map(writes.filter(isAddition).map(({ path }) => parentEntry(path)));
  for (const parent of parents.values())
    if (isWithinValue(tree, parent)) throw new RequestError('write/below-value');
}

/** Returns whether a write can replace a leaf above its path. Removals and priorities cannot. */
function isAddition(write: ValueWrite): boolean {
  return write.kind === 'node' && write.node !== null && write.path.length > 0;
}

function parentEntry(path: Path): [string, Path] {
  const parent = pathOf(path.slice(0, -1));
  return [formatPath(parent), parent];
}

/** Returns whether the nearest node at or above a path is a leaf. */
function isWithinValue(tree: DatabaseTree, path: Path): boolean {
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const value = tree.findValue(pathOf(path.slice(0, depth)));
    if (value !== null) return value !== OBJECT;
  }
  return false;
}

/** The writes of an update: removals, which are already applied, and values and priorities, which are not. */
export interface UpdateWrites {
  readonly removals: readonly ValueWrite[];
  readonly others: readonly ValueWrite[];
}

/**
 * Merges all writes at and below a node that the update creates into one write. The update creates a node if it
 * gives an absent node a priority and children, or if it empties a node and fills it again. Clients apply the
 * paths of an update in their own order. They would lose a priority given to a node that has no children yet,
 * or keep the priority of a node that is never empty in their order.
 *
 * `isAbsent` returns whether the node at a path is absent after the removals.
 */
export function combineWrites(update: UpdateWrites, isAbsent: (path: Path) => boolean): UpdateWrites {
  const priorities = update.others.filter(({ kind }) => kind === 'priority');
  if (update.removals.length + priorities.length === 0) return update;
  const filled = new FilledPaths(update.others, isAbsent);
  const created = new Map<string, Path>();
  for (const { path } of priorities) if (filled.isCreated(path)) created.set(formatPath(path), path);
  for (const { path } of update.removals) {
    const emptied = prefixesOf(path).find((above) => filled.isCreated(above));
    if (emptied !== undefined) created.set(formatPath(emptied), emptied);
  }
  return created.size === 0 ? update : replaceCreated(update, created);
}

/** Paths below which the update writes a value. */
class FilledPaths {
  readonly #isAbsent: (path: Path) => boolean;
  /** By path text: whether the node is absent, or `undefined` until `isAbsent` has been called for it. */
  readonly #paths = new Map<string, boolean | undefined>();

  constructor(writes: readonly ValueWrite[], isAbsent: (path: Path) => boolean) {
    this.#isAbsent = isAbsent;
    for (const { kind, path } of writes)
      if (kind === 'node')
        for (const above of prefixesOf(path)) this.#paths.set(formatPath(above), undefined);
  }

  /** Returns whether the node at a path is absent and the update writes something below it. */
  isCreated(path: Path): boolean {
    const text = formatPath(path);
    if (!this.#paths.has(text)) return false;
    const isAbsent = this.#paths.get(text) ?? this.#isAbsent(path);
    this.#paths.set(text, isAbsent);
    return isAbsent;
  }
}

/** Returns the proper ancestors of a path, from the root down. */
function prefixesOf(path: Path): readonly Path[] {
  return path.map((_key, depth) => pathOf(path.slice(0, depth)));
}

/** Replaces all writes at and below the topmost created paths by one write for each of these paths. */
function replaceCreated(
  { removals, others }: UpdateWrites,
  created: ReadonlyMap<string, Path>,
): UpdateWrites {
  const findCreated = ({ path }: ValueWrite): Path | undefined =>
    [...prefixesOf(path), path]
      .map((location) => created.get(formatPath(location)))
      .find((location) => location !== undefined);
  const groups = Map.groupBy(others, findCreated);
  const nodes: ValueWrite[] = [];
  for (const [location, writes] of groups)
    if (location !== undefined) nodes.push(nodeWrite(location, buildNode(location.length, writes)));
  return {
    removals: removals.filter((write) => findCreated(write) === undefined),
    others: [...nodes, ...(groups.get(undefined) ?? [])],
  };
}

function buildNode(depth: number, writes: readonly ValueWrite[]): TreeNode | null {
  const combined = new CombinedWrites();
  for (const write of writes) {
    if (write.kind === 'node') combined.writeNode(write.path, write.node, depth);
    else combined.writePriority(write.path, write.priority, depth);
  }
  return combined.applyTo(null);
}

export interface WriteRequest extends RequestContext {
  readonly writes: readonly DraftWrite[];
  /** Compare-and-set: the node that must exist before the write. */
  readonly expected?: ExpectedNode | undefined;
  readonly conditions?: WriteConditions;
  /** The time that placeholders in the values were resolved for, if they were resolved before the transaction. */
  readonly resolvedMs?: number;
  /** Whether triggers are skipped for this write. */
  readonly areTriggersDisabled?: boolean;
  /** The path whose hash after the write is returned. */
  readonly hashOf?: Path;
  /** Set if the write is recorded as a change that can be undone. */
  readonly change?: ChangeDraft;
}

export interface WriteResult {
  /** The commit with all placeholders resolved, or `null` if the write had no effect. */
  readonly commit: Commit | null;
  /**
   * The hash after the write of the node at `hashOf`: `''` if the node is absent, `null` if no hash was
   * requested.
   */
  readonly hash: string | null;
  /** The id of the recorded change, or `null` if there is none. */
  readonly change: number | null;
}

/**
 * Executes one write on the current state of the transaction, applies it and broadcasts it. Returns the commit,
 * or `null` if there was nothing to change. Throws without any effect: `access/denied`, `write/stale`,
 * `write/below-value`, `server-value/overflow`, `store/full`, `write/trigger-too-big`, `read/too-big` if a
 * node of a precondition is too big to be hashed, or `PostponedRequest` until such a node is hashed.
 *
 * Rules see resolved placeholders, so an increment beyond the number range is rejected before the rules are
 * evaluated.
 */
export function executeWrite(
  transaction: WriteTransaction,
  database: Database,
  request: WriteRequest,
): Commit | null {
  transaction.assertWritable();
  const tree = database.tree(transaction);
  const timeMs = transaction.commitTimeMs(database.name);
  const writes = resolveWrites(tree, request.writes, timeMs);
  const { expected, conditions, resolvedMs } = request;
  // Before anything is recorded, because the request may run again.
  const found = findChanged(transaction, database, request, conditions?.expected ?? []);
  authorizeWrite(transaction, database, request, { tree, writes, timeMs, resolvedMs }, expected);
  if (conditions !== undefined) requireConditions(tree, writes, conditions, found);
  const triggered = mayTrigger(request) ? database.triggers?.prepare(transaction, tree, writes) : null;
  const publication = new Publication(database, tree, writes);
  try {
    const effects = applyWrites(tree, writes);
    if (effects.length === 0) return null;
    database.activity.recordWrite(effects, database.rules.root);
    const author = authorOf(request.identity);
    const commit = transaction.append({ database: database.name, timeMs, author, writes: effects });
    publication.send(transaction, tree, effects);
    profileBroadcast(transaction, database, effects);
    if (triggered) database.triggers?.notify(transaction, triggered, commit, request.identity);
    return commit;
  } catch (error) {
    // The tree has already changed, so an error response would be wrong.
    if (error instanceof RequestError)
      throw new Error('Bug: a write was rejected after a part of it was applied.', { cause: error });
    throw error;
  }
}

/** Returns whether the write may trigger functions. Only administrators can disable triggers. */
function mayTrigger({ identity, areTriggersDisabled }: WriteRequest): boolean {
  return identity.kind !== 'admin' || areTriggersDisabled !== true;
}

/** Throws `access/denied` unless the writes would be allowed now. Does not execute them. */
export function requireAllowedNow(
  transaction: WriteTransaction,
  database: Database,
  context: RequestContext,
  drafts: readonly DraftWrite[],
): void {
  if (context.identity.kind === 'admin') return;
  const tree = database.tree(transaction);
  const timeMs = transaction.commitTimeMs(database.name);
  const writes = resolveWrites(tree, drafts, timeMs);
  authorizeWrite(transaction, database, context, { tree, writes, timeMs });
}

/** Returns whether the writes could be made now. Records only a denial. Does not execute them. */
export function isAllowedNow(
  transaction: WriteTransaction,
  database: Database,
  context: RequestContext,
  drafts: readonly DraftWrite[],
): boolean {
  const tree = database.tree(transaction);
  const timeMs = transaction.commitTimeMs(database.name);
  try {
    const writes = resolveWrites(tree, drafts, timeMs);
    return mayWrite(transaction, database, context, { tree, writes, timeMs });
  } catch (error) {
    if (error instanceof RequestError) return false;
    throw error;
  }
}

function resolveWrites(
  tree: DatabaseTree,
  drafts: readonly DraftWrite[],
  timeMs: number,
): readonly ValueWrite[] {
  return resolveDraftWrites(drafts, tree, timeMs).map((write) =>
    write.kind === 'node' ? nodeWrite(write.path, write.node) : priorityWrite(write.path, write.priority),
  );
}

/**
 * Applies writes, which are in the order of an update. Returns the effective writes, for the commit and the
 * broadcast.
 */
function applyWrites(tree: DatabaseTree, writes: readonly ValueWrite[]): readonly ValueWrite[] {
  const [only] = writes;
  if (only !== undefined && writes.length === 1) return applyWrite(tree, only) ? [only] : [];
  const { removals, others } = combineWrites(
    {
      removals: tree.writeNodes(writes.filter(isNodeWrite).filter(isRemoval)),
      others: writes.filter((write) => !isRemoval(write)),
    },
    (path) => tree.findValue(path) === null,
  );
  const values = tree.writeNodes(others.filter(isNodeWrite));
  const priorities = others.filter((write) => !isNodeWrite(write) && applyWrite(tree, write));
  return [...removals, ...values, ...priorities];
}

function isNodeWrite(write: ValueWrite): write is ValueWrite & { readonly kind: 'node' } {
  return write.kind === 'node';
}

function isRemoval(write: ValueWrite): boolean {
  return write.kind === 'node' && write.node === null;
}

function applyWrite(tree: DatabaseTree, write: ValueWrite): boolean {
  return write.kind === 'node'
    ? tree.writeNode(write.path, write.node, write.json)
    : tree.writePriority(write.path, write.priority);
}
