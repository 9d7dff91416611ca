import { childOf, isEqualNode, nodeAt, replaceAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import type { Api } from '../../../api/client.ts';
import { type CheckedWrite, NO_NODE, type NodeChange, type NodeText } from '../../../api/data-nodes.ts';
import {
  ChangedMeanwhile,
  MAX_READS,
  readSmall,
  requireChildren,
  someAtATime,
  ValueAbove,
} from '../edit/change-nodes.ts';
import { isAtOrBelow, type NodePath, parentOf, ROOT_PATH } from '../model/node-path.ts';
import { findHolder, keysBelow, nodeWithStaged } from './overlay.ts';
import {
  endsOf,
  MAX_STAGED,
  MAX_STAGED_UNITS,
  parseTree,
  type StagedList,
  type StagedPath,
  withoutIdle,
} from './store.ts';

/** What is to stand at a path, and what stands there on the server. */
export interface StagedWrite {
  readonly path: NodePath;
  readonly before: NodeText;
  readonly after: TreeNode | null;
}

type StageOutcome =
  | { readonly kind: 'staged'; readonly list: StagedList }
  /** There is no room for more. */
  | { readonly kind: 'full' }
  /** Below the place is an edit that was staged when something else stood there. */
  | { readonly kind: 'outdated'; readonly path: NodePath };

/**
 * Adds writes to a list: within what is staged already, in the place of what is staged below them, or beside it. With
 * `isLinked`, all places that they touch belong together from then on.
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
  const staged = withoutIdle(joinGroups(result, linked));
  return isFull(staged) ? { kind: 'full' } : { kind: 'staged', list: staged };
}

interface Step {
  readonly list: StagedList;
  /** Those of the place that was touched, and of places that it takes the place of. */
  readonly groups: ReadonlySet<number>;
}

function fold(list: StagedList, write: StagedWrite): Step {
  const holder = list.find(({ path }) => isAtOrBelow(write.path, path));
  if (holder !== undefined) {
    const keys = keysBelow(holder.path, write.path);
    const text = exportJson(replaceAt(endsOf(holder).after, keys, write.after));
    return {
      list: list.map((location) => (location === holder ? { ...holder, text } : location)),
      groups: new Set([holder.group]),
    };
  }
  const group = Math.max(0, ...list.map((location) => location.group)) + 1;
  const location: StagedPath = {
    path: write.path,
    before: write.before,
    text: exportJson(write.after),
    group,
  };
  const below = pathsBelow(list, write.path);
  return {
    list: [...list.filter((other) => !below.includes(other)), location],
    groups: new Set([group, ...below.map((other) => other.group)]),
  };
}

/** An edit below would be given up together with what somebody else has written there, which whoever stages has not seen. */
function findOutdated(list: StagedList, { path, before }: StagedWrite): StagedPath | undefined {
  const below = pathsBelow(list, path).filter((location) => location.path !== path);
  if (below.length === 0) return undefined;
  const node = parseTree(before.text, path);
  return below.find(
    (location) => !isEqualNode(nodeAt(node, keysBelow(path, location.path)), endsOf(location).before),
  );
}

function pathsBelow(list: StagedList, above: NodePath): readonly StagedPath[] {
  return list.filter(({ path }) => isAtOrBelow(path, above));
}

function joinGroups(list: StagedList, groups: ReadonlySet<number>): StagedList {
  if (groups.size < 2) return list;
  const joined = Math.min(...groups);
  return list.map((location) =>
    groups.has(location.group) && location.group !== joined ? { ...location, group: joined } : location,
  );
}

function isFull(list: StagedList): boolean {
  const units = list.reduce((sum, { before, text }) => sum + before.text.length + text.length, 0);
  return list.length > MAX_STAGED || units > MAX_STAGED_UNITS;
}

/** Where edits are staged. */
export interface StagingStore {
  readonly api: Api;
  readonly database: string;
  list(): StagedList;
  put(list: StagedList): void;
  /** Takes the change back that made a list, unless others came after it. Says whether it did. */
  takeBack(made: StagedList): boolean;
}

/** There is no room for more staged edits. */
export class StageFull extends Error {
  override readonly name = 'StageFull';
}

/** An edit that was staged below the place was made on another state. */
export class StageOutdated extends Error {
  override readonly name = 'StageOutdated';
}

/** Stands for the state of what is part of a staged place: nobody else can change it. */
const OWN = 'staged';

/** A node as it is to be, and the hash of what it is on the server. */
export async function readStaged(stagingStore: StagingStore, path: NodePath): Promise<NodeText> {
  const { before, node } = await readEnds(stagingStore, path);
  return { text: exportJson(node), hash: isOwn(stagingStore, path) ? OWN : before.hash };
}

/** Stages text in the place of a node that is still what whoever edits has seen. */
export async function stageText(
  stagingStore: StagingStore,
  path: NodePath,
  seen: NodeText,
): Promise<CheckedWrite> {
  const { before, node } = await readEnds(stagingStore, path);
  const hash = isOwn(stagingStore, path) ? OWN : before.hash;
  if (hash !== seen.hash) return { kind: 'stale', current: { text: exportJson(node), hash } };
  stage(stagingStore, [{ path, before, after: parseTree(seen.text, path) }]);
  return { kind: 'written', hash };
}

/** Stages a child where nothing is. */
export async function stageChild(stagingStore: StagingStore, path: NodePath, text: string): Promise<void> {
  await assertHolds(stagingStore, parentOf(path));
  const { before, node } = await readEnds(stagingStore, path);
  if (node !== null) throw new ChangedMeanwhile();
  stage(stagingStore, [{ path, before, after: parseTree(text, path) }]);
}

/** Stages a node in another place, where nothing is; `isMove` takes it away from where it was. */
export async function stageCopy(
  stagingStore: StagingStore,
  from: NodePath,
  to: NodePath,
  isMove: boolean,
): Promise<void> {
  await assertHolds(stagingStore, parentOf(to));
  const [source, target] = await Promise.all([readEnds(stagingStore, from), readEnds(stagingStore, to)]);
  if (target.node !== null || source.node === null) throw new ChangedMeanwhile();
  const writes = [
    ...(isMove ? [{ path: from, before: source.before, after: null }] : []),
    { path: to, before: target.before, after: source.node },
  ];
  stage(stagingStore, writes, isMove);
}

/** Stages values in many places at once, whatever is there. `onRead` is told how many of them were looked at. */
export async function stageChanges(
  stagingStore: StagingStore,
  changes: readonly NodeChange[],
  onRead?: (count: number) => void,
): Promise<void> {
  const read = async ({ path, text }: NodeChange): Promise<StagedWrite> => ({
    path,
    before: (await readEnds(stagingStore, path)).before,
    after: parseTree(text, path),
  });
  stage(stagingStore, await someAtATime(changes, MAX_READS, read, onRead));
}

/** Stages that nothing is to stand at some places any more. */
export async function stageRemoval(stagingStore: StagingStore, paths: readonly NodePath[]): Promise<void> {
  const outermost = paths.filter(
    (path) => !paths.some((other) => other !== path && isAtOrBelow(path, other)),
  );
  await stageChanges(
    stagingStore,
    outermost.map((path) => ({ path, text: 'null' })),
  );
}

/** Between reading and this line others may have been staged: it is the present list that is added to. */
function stage(stagingStore: StagingStore, writes: readonly StagedWrite[], isLinked = false): void {
  const outcome = stageWrites(stagingStore.list(), writes, isLinked);
  if (outcome.kind === 'full') throw new StageFull();
  if (outcome.kind === 'outdated') throw new StageOutdated(outcome.path);
  stagingStore.put(outcome.list);
}

function isOwn(stagingStore: StagingStore, path: NodePath): boolean {
  return findHolder(stagingStore.list(), path) !== undefined;
}

/** What a node is on the server, and what it is to be. What is part of a staged place need not be read. */
async function readEnds(
  stagingStore: StagingStore,
  path: NodePath,
): Promise<{ readonly before: NodeText; readonly node: TreeNode | null }> {
  const holder = findHolder(stagingStore.list(), path);
  if (holder !== undefined)
    return { before: NOTHING, node: nodeAt(endsOf(holder).after, keysBelow(holder.path, path)) };
  const before = await readSmall(stagingStore.api, stagingStore.database, path);
  return { before, node: nodeWithStaged(path, parseTree(before.text, path), stagingStore.list()) };
}

const NOTHING: NodeText = { text: 'null', hash: NO_NODE };

/** Throws `ValueAbove` if the nearest node at or above a path is, or is to be, a value. */
export async function assertHolds(stagingStore: StagingStore, path: NodePath): Promise<void> {
  const holder = findHolder(stagingStore.list(), path);
  if (holder === undefined) return await requireChildren(stagingStore.api, stagingStore.database, path);
  let node = endsOf(holder).after;
  if (node === null)
    return holder.path === ROOT_PATH ? undefined : await assertHolds(stagingStore, parentOf(holder.path));
  for (const key of keysBelow(holder.path, path)) {
    if (node?.kind === 'leaf') throw new ValueAbove();
    node = childOf(node, key);
  }
  if (node?.kind === 'leaf') throw new ValueAbove();
}
