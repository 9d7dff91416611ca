import { childOf, nodeAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import type { Api } from '../../../server/api.ts';
import { type CheckedWrite, NO_NODE, type NodeChange, type NodeText } from '../../../server/data-nodes.ts';
import {
  ChangedMeanwhile,
  MAX_READS,
  mustHoldChildren,
  readSmall,
  ValueAbove,
} from '../edit/change-nodes.ts';
import { isAtOrBelow, type NodePath, parentOf, ROOT_PATH } from '../model/node-path.ts';
import { someAtATime } from '../model/some-at-a-time.ts';
import { keysBelow } from './keys-below.ts';
import { findHolder, nodeWithStaged } from './node-with-staged.ts';
import { type StagedWrite, stageWrites } from './stage-writes.ts';
import { endsOf, parseTree, type StagedList } from './staged-list.ts';

/** Where edits are staged. */
export interface StageDesk {
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
export async function readStaged(desk: StageDesk, path: NodePath): Promise<NodeText> {
  const { before, node } = await readEnds(desk, path);
  return { text: exportJson(node), hash: isOwn(desk, path) ? OWN : before.hash };
}

/** Stages text in the place of a node that is still what whoever edits has seen. */
export async function stageText(desk: StageDesk, path: NodePath, seen: NodeText): Promise<CheckedWrite> {
  const { before, node } = await readEnds(desk, path);
  const hash = isOwn(desk, path) ? OWN : before.hash;
  if (hash !== seen.hash) return { kind: 'stale', current: { text: exportJson(node), hash } };
  stage(desk, [{ path, before, after: parseTree(seen.text, path) }]);
  return { kind: 'written', hash };
}

/** Stages a child where nothing is. */
export async function stageChild(desk: StageDesk, path: NodePath, text: string): Promise<void> {
  await mustHold(desk, parentOf(path));
  const { before, node } = await readEnds(desk, path);
  if (node !== null) throw new ChangedMeanwhile();
  stage(desk, [{ path, before, after: parseTree(text, path) }]);
}

/** Stages a node in another place, where nothing is; `isMove` takes it away from where it was. */
export async function stageCopy(
  desk: StageDesk,
  from: NodePath,
  to: NodePath,
  isMove: boolean,
): Promise<void> {
  await mustHold(desk, parentOf(to));
  const [source, target] = await Promise.all([readEnds(desk, from), readEnds(desk, to)]);
  if (target.node !== null || source.node === null) throw new ChangedMeanwhile();
  const writes = [
    ...(isMove ? [{ path: from, before: source.before, after: null }] : []),
    { path: to, before: target.before, after: source.node },
  ];
  stage(desk, writes, isMove);
}

/** Stages values in many places at once, whatever is there. `onRead` is told how many of them were looked at. */
export async function stageChanges(
  desk: StageDesk,
  changes: readonly NodeChange[],
  onRead?: (count: number) => void,
): Promise<void> {
  const read = async ({ path, text }: NodeChange): Promise<StagedWrite> => ({
    path,
    before: (await readEnds(desk, path)).before,
    after: parseTree(text, path),
  });
  stage(desk, await someAtATime(changes, MAX_READS, read, onRead));
}

/** Stages that nothing is to stand at some places any more. */
export async function stageRemoval(desk: StageDesk, paths: readonly NodePath[]): Promise<void> {
  const outermost = paths.filter(
    (path) => !paths.some((other) => other !== path && isAtOrBelow(path, other)),
  );
  await stageChanges(
    desk,
    outermost.map((path) => ({ path, text: 'null' })),
  );
}

/** Between reading and this line others may have been staged: it is the present list that is added to. */
function stage(desk: StageDesk, writes: readonly StagedWrite[], isLinked = false): void {
  const outcome = stageWrites(desk.list(), writes, isLinked);
  if (outcome.kind === 'full') throw new StageFull();
  if (outcome.kind === 'outdated') throw new StageOutdated(outcome.path);
  desk.put(outcome.list);
}

function isOwn(desk: StageDesk, path: NodePath): boolean {
  return findHolder(desk.list(), path) !== undefined;
}

/** What a node is on the server, and what it is to be. What is part of a staged place need not be read. */
async function readEnds(
  desk: StageDesk,
  path: NodePath,
): Promise<{ readonly before: NodeText; readonly node: TreeNode | null }> {
  const holder = findHolder(desk.list(), path);
  if (holder !== undefined)
    return { before: NOTHING, node: nodeAt(endsOf(holder).after, keysBelow(holder.path, path)) };
  const before = await readSmall(desk.api, desk.database, path);
  return { before, node: nodeWithStaged(path, parseTree(before.text, path), desk.list()) };
}

const NOTHING: NodeText = { text: 'null', hash: NO_NODE };

/** Throws `ValueAbove` if the nearest node at or above a path is, or is to be, a value. */
export async function mustHold(desk: StageDesk, path: NodePath): Promise<void> {
  const holder = findHolder(desk.list(), path);
  if (holder === undefined) return await mustHoldChildren(desk.api, desk.database, path);
  let node = endsOf(holder).after;
  if (node === null)
    return holder.path === ROOT_PATH ? undefined : await mustHold(desk, parentOf(holder.path));
  for (const key of keysBelow(holder.path, path)) {
    if (node?.kind === 'leaf') throw new ValueAbove();
    node = childOf(node, key);
  }
  if (node?.kind === 'leaf') throw new ValueAbove();
}
