import { childOf, isEqualNode, nodeAt, replaceAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import type { Api } from '../../../api/client.ts';
import { type CheckedWrite, NO_NODE, type NodeChange, type NodeText } from '../../../api/data-nodes.ts';
import {
  ConcurrentChange,
  MAX_READS,
  mapInBatches,
  readSmall,
  requireNoValueAbove,
  ValueAbove,
} from '../edit/change-nodes.ts';
import { isAtOrBelow, type NodePath, parentOf, ROOT_PATH } from '../model/node-path.ts';
import { findHolder, keysBelow, nodeWithStaged } from './overlay.ts';
import {
  MAX_STAGED,
  MAX_STAGED_LENGTH,
  parseTree,
  type StagedEdit,
  type StagedList,
  treesOf,
  withoutUnchanged,
} from './store.ts';

/** A write to stage: the current node of a path on the server, and the new node. */
export interface StagedWrite {
  readonly path: NodePath;
  readonly before: NodeText;
  readonly after: TreeNode | null;
}

type StageOutcome =
  | { readonly kind: 'staged'; readonly list: StagedList }
  /** The list would exceed `MAX_STAGED` or `MAX_STAGED_LENGTH`. */
  | { readonly kind: 'full' }
  /** An edit is staged below a write, and another user has changed the node of this edit. */
  | { readonly kind: 'outdated'; readonly path: NodePath };

/**
 * Adds writes to a list. A write below a staged path becomes part of that edit, and a write above staged paths replaces their
 * edits. With `isLinked`, all edits that the writes affect form one group.
 */
export function stageWrites(
  list: StagedList,
  writes: readonly StagedWrite[],
  isLinked: boolean,
): StageOutcome {
  let result = list;
  const linked = new Set<number>();
  for (const write of writes) {
    const outdated = findOutdated(result, write);
    if (outdated !== undefined) return { kind: 'outdated', path: outdated.path };
    const step = fold(result, write);
    result = isLinked ? step.list : joinGroups(step.list, step.groups);
    if (isLinked) for (const group of step.groups) linked.add(group);
  }
  const staged = withoutUnchanged(joinGroups(result, linked));
  return isFull(staged) ? { kind: 'full' } : { kind: 'staged', list: staged };
}

interface Step {
  readonly list: StagedList;
  /** Groups of the affected edit and of the edits that it replaces. */
  readonly groups: ReadonlySet<number>;
}

function fold(list: StagedList, write: StagedWrite): Step {
  const holder = list.find(({ path }) => isAtOrBelow(write.path, path));
  if (holder !== undefined) {
    const keys = keysBelow(holder.path, write.path);
    const text = exportJson(replaceAt(treesOf(holder).after, keys, write.after));
    return {
      list: list.map((edit) => (edit === holder ? { ...holder, text } : edit)),
      groups: new Set([holder.group]),
    };
  }
  const group = Math.max(0, ...list.map((edit) => edit.group)) + 1;
  const edit: StagedEdit = {
    path: write.path,
    before: write.before,
    text: exportJson(write.after),
    group,
  };
  const below = pathsBelow(list, write.path);
  return {
    list: [...list.filter((other) => !below.includes(other)), edit],
    groups: new Set([group, ...below.map((other) => other.group)]),
  };
}

/**
 * Finds an outdated edit below a write: another user has changed its node since it was staged. If the write replaced this edit,
 * it would discard the other user's change without showing the conflict.
 */
function findOutdated(list: StagedList, { path, before }: StagedWrite): StagedEdit | undefined {
  const below = pathsBelow(list, path).filter((edit) => edit.path !== path);
  if (below.length === 0) return undefined;
  const node = parseTree(before.text, path);
  return below.find((edit) => !isEqualNode(nodeAt(node, keysBelow(path, edit.path)), treesOf(edit).before));
}

function pathsBelow(list: StagedList, above: NodePath): readonly StagedEdit[] {
  return list.filter(({ path }) => isAtOrBelow(path, above));
}

function joinGroups(list: StagedList, groups: ReadonlySet<number>): StagedList {
  if (groups.size < 2) return list;
  const joined = Math.min(...groups);
  return list.map((edit) =>
    groups.has(edit.group) && edit.group !== joined ? { ...edit, group: joined } : edit,
  );
}

function isFull(list: StagedList): boolean {
  const units = list.reduce((sum, { before, text }) => sum + before.text.length + text.length, 0);
  return list.length > MAX_STAGED || units > MAX_STAGED_LENGTH;
}

/** The list of staged edits of one database, and the API for reading and writing this database. */
export interface StagingStore {
  readonly api: Api;
  readonly database: string;
  list(): StagedList;
  put(list: StagedList): void;
  /** Reverts the change that resulted in `made`, unless the list has changed since. Returns whether it was reverted. */
  undo(made: StagedList): boolean;
}

/** The list of staged edits would exceed its maximum. */
export class StageFull extends Error {
  override readonly name = 'StageFull';
}

/**
 * An edit is staged below a write, and another user has changed the node of this edit. The message is the path of the
 * edit.
 */
export class StageOutdated extends Error {
  override readonly name = 'StageOutdated';
}

/** Hash of nodes that are part of a staged edit. It is constant, because other users cannot change them. */
const OWN = 'staged';

/** Reads a node with staged edits applied. The hash is that of the node on the server; within a staged edit, it is `OWN`. */
export async function readStaged(stagingStore: StagingStore, path: NodePath): Promise<NodeText> {
  const { before, node } = await readWithStaged(stagingStore, path);
  return { text: exportJson(node), hash: isOwn(stagingStore, path) ? OWN : before.hash };
}

/** Stages `replacement.text` for a node, if the current hash of the node is `replacement.hash`. */
export async function stageText(
  stagingStore: StagingStore,
  path: NodePath,
  replacement: NodeText,
): Promise<CheckedWrite> {
  const { before, node } = await readWithStaged(stagingStore, path);
  const hash = isOwn(stagingStore, path) ? OWN : before.hash;
  if (hash !== replacement.hash) return { kind: 'stale', current: { text: exportJson(node), hash } };
  stage(stagingStore, [{ path, before, after: parseTree(replacement.text, path) }]);
  return { kind: 'written', hash, change: null };
}

/** Stages a child at a path. Rejects with `ConcurrentChange` if the path has data, with `ValueAbove`, or like `stage`. */
export async function stageChild(stagingStore: StagingStore, path: NodePath, text: string): Promise<void> {
  await requireNoStagedValueAbove(stagingStore, parentOf(path));
  const { before, node } = await readWithStaged(stagingStore, path);
  if (node !== null) throw new ConcurrentChange();
  stage(stagingStore, [{ path, before, after: parseTree(text, path) }]);
}

/**
 * Stages a copy of a node at a path without data; `isMove` also stages the removal of the source. Rejects with
 * `ConcurrentChange` if the target has data or the source has none, with `ValueAbove`, or like `stage`.
 */
export async function stageCopy(
  stagingStore: StagingStore,
  from: NodePath,
  to: NodePath,
  isMove: boolean,
): Promise<void> {
  await requireNoStagedValueAbove(stagingStore, parentOf(to));
  const [source, target] = await Promise.all([
    readWithStaged(stagingStore, from),
    readWithStaged(stagingStore, to),
  ]);
  if (target.node !== null || source.node === null) throw new ConcurrentChange();
  const writes = [
    ...(isMove ? [{ path: from, before: source.before, after: null }] : []),
    { path: to, before: target.before, after: source.node },
  ];
  stage(stagingStore, writes, isMove);
}

/** Stages values at many paths, whether or not they have data. Calls `onRead` with the number of paths read so far. */
export async function stageChanges(
  stagingStore: StagingStore,
  changes: readonly NodeChange[],
  onRead?: (count: number) => void,
): Promise<void> {
  const read = async ({ path, text }: NodeChange): Promise<StagedWrite> => ({
    path,
    before: (await readWithStaged(stagingStore, path)).before,
    after: parseTree(text, path),
  });
  stage(stagingStore, await mapInBatches(changes, MAX_READS, read, onRead));
}

/** Stages the removal of nodes. */
export async function stageRemoval(stagingStore: StagingStore, paths: readonly NodePath[]): Promise<void> {
  const outermost = paths.filter(
    (path) => !paths.some((other) => other !== path && isAtOrBelow(path, other)),
  );
  await stageChanges(
    stagingStore,
    outermost.map((path) => ({ path, text: 'null' })),
  );
}

/** Adds writes to the current list, which may have changed since the nodes were read. Throws `StageFull` or `StageOutdated`. */
function stage(stagingStore: StagingStore, writes: readonly StagedWrite[], isLinked = false): void {
  const outcome = stageWrites(stagingStore.list(), writes, isLinked);
  if (outcome.kind === 'full') throw new StageFull();
  if (outcome.kind === 'outdated') throw new StageOutdated(outcome.path);
  stagingStore.put(outcome.list);
}

function isOwn(stagingStore: StagingStore, path: NodePath): boolean {
  return findHolder(stagingStore.list(), path) !== undefined;
}

/** Reads a node, and applies staged edits. Within a staged edit, reads nothing and returns an absent node as `before`. */
async function readWithStaged(
  stagingStore: StagingStore,
  path: NodePath,
): Promise<{ readonly before: NodeText; readonly node: TreeNode | null }> {
  const holder = findHolder(stagingStore.list(), path);
  if (holder !== undefined)
    return { before: NOTHING, node: nodeAt(treesOf(holder).after, keysBelow(holder.path, path)) };
  const before = await readSmall(stagingStore.api, stagingStore.database, path);
  return { before, node: nodeWithStaged(path, parseTree(before.text, path), stagingStore.list()) };
}

const NOTHING: NodeText = { text: 'null', hash: NO_NODE };

/** Throws `ValueAbove` if, with staged edits applied, the nearest existing node at or above a path is a value. */
export async function requireNoStagedValueAbove(stagingStore: StagingStore, path: NodePath): Promise<void> {
  const holder = findHolder(stagingStore.list(), path);
  if (holder === undefined) return await requireNoValueAbove(stagingStore.api, stagingStore.database, path);
  let node = treesOf(holder).after;
  if (node === null)
    return holder.path === ROOT_PATH
      ? undefined
      : await requireNoStagedValueAbove(stagingStore, parentOf(holder.path));
  for (const key of keysBelow(holder.path, path)) {
    if (node?.kind === 'leaf') throw new ValueAbove();
    node = childOf(node, key);
  }
  if (node?.kind === 'leaf') throw new ValueAbove();
}
