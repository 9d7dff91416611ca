import { isEqualNode, nodeAt, replaceAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import type { NodeText } from '../../../server/data-nodes.ts';
import { isAtOrBelow, type NodePath } from '../model/node-path.ts';
import { keysBelow } from './keys-below.ts';
import {
  endsOf,
  MAX_STAGED,
  MAX_STAGED_UNITS,
  parseTree,
  type StagedList,
  type StagedPlace,
  withoutIdle,
} from './staged-list.ts';

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
      list: list.map((place) => (place === holder ? { ...holder, text } : place)),
      groups: new Set([holder.group]),
    };
  }
  const group = Math.max(0, ...list.map((place) => place.group)) + 1;
  const place: StagedPlace = { path: write.path, before: write.before, text: exportJson(write.after), group };
  const below = placesBelow(list, write.path);
  return {
    list: [...list.filter((other) => !below.includes(other)), place],
    groups: new Set([group, ...below.map((other) => other.group)]),
  };
}

/** An edit below would be given up together with what somebody else has written there, which whoever stages has not seen. */
function findOutdated(list: StagedList, { path, before }: StagedWrite): StagedPlace | undefined {
  const below = placesBelow(list, path).filter((place) => place.path !== path);
  if (below.length === 0) return undefined;
  const node = parseTree(before.text, path);
  return below.find((place) => !isEqualNode(nodeAt(node, keysBelow(path, place.path)), endsOf(place).before));
}

function placesBelow(list: StagedList, above: NodePath): readonly StagedPlace[] {
  return list.filter(({ path }) => isAtOrBelow(path, above));
}

function joinGroups(list: StagedList, groups: ReadonlySet<number>): StagedList {
  if (groups.size < 2) return list;
  const joined = Math.min(...groups);
  return list.map((place) =>
    groups.has(place.group) && place.group !== joined ? { ...place, group: joined } : place,
  );
}

function isFull(list: StagedList): boolean {
  const units = list.reduce((sum, { before, text }) => sum + before.text.length + text.length, 0);
  return list.length > MAX_STAGED || units > MAX_STAGED_UNITS;
}
