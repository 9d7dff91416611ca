import { isEqualNode } from '@hearth/core/tree/node.ts';
import type { Api } from '../../../server/api.ts';
import {
  MAX_TEXT_BYTES,
  measureNode,
  type NodeText,
  readNode,
  type SeenNode,
  writeChanges,
} from '../../../server/data-nodes.ts';
import { ChangedMeanwhile, MAX_READS, mustHoldAll } from '../edit/change-nodes.ts';
import type { NodePath } from '../model/node-path.ts';
import { someAtATime } from '../model/some-at-a-time.ts';
import { endsOf, inverseOf, parseTree, type StagedList, type StagedPlace } from './staged-list.ts';

/** A place that somebody else has changed since it was staged. */
export interface StalePlace {
  readonly path: NodePath;
  /** What stands there now; `null` when it is too large to be shown. */
  readonly current: NodeText | null;
}

/**
 * Writes everything that is staged at once, or nothing: false if something is not as it was when it was staged. Rejects
 * with `ValueAbove` when a value has come to be above an added node.
 */
export async function applyStaged(api: Api, database: string, list: StagedList): Promise<boolean> {
  await mustHoldAll(
    api,
    database,
    list.filter((place) => endsOf(place).before === null),
  );
  return await writeChanges(api, database, list, list.map(seenOf));
}

/**
 * Takes back what was applied. Rejects with `ChangedMeanwhile` if any of it is not what was written, and with `ValueAbove`
 * when a value has come to be above a removed node.
 */
export async function undoStaged(api: Api, database: string, list: StagedList): Promise<void> {
  await mustHoldAll(
    api,
    database,
    list.filter((place) => endsOf(place).after === null),
  );
  const seen = await someAtATime(list, MAX_READS, async (place): Promise<SeenNode> => {
    const { text, hash } = await readNode(api, database, place.path);
    if (!isEqualNode(parseTree(text, place.path), endsOf(place).after)) throw new ChangedMeanwhile();
    return { path: place.path, hash };
  });
  if (!(await writeChanges(api, database, inverseOf(list), seen))) throw new ChangedMeanwhile();
}

/** Finds the places that are not as they were when they were staged. */
export async function findStale(
  api: Api,
  database: string,
  list: StagedList,
): Promise<readonly StalePlace[]> {
  // A change of nothing is refused if anything is not as it was.
  const places = await halve(list, (part) => writeChanges(api, database, [], part.map(seenOf)));
  return await someAtATime(places, MAX_READS, ({ path }) => readStale(api, database, path));
}

/** Those of a list that do not pass; parts that pass as a whole are not looked into. */
export async function halve<T>(
  items: readonly T[],
  passes: (part: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  if (items.length === 0 || (await passes(items))) return [];
  if (items.length === 1) return items;
  const middle = items.length >> 1;
  return [...(await halve(items.slice(0, middle), passes)), ...(await halve(items.slice(middle), passes))];
}

async function readStale(api: Api, database: string, path: NodePath): Promise<StalePlace> {
  const isShown = (await measureNode(api, database, path, MAX_TEXT_BYTES)) !== null;
  return { path, current: isShown ? await readNode(api, database, path) : null };
}

function seenOf({ path, before }: StagedPlace): SeenNode {
  return { path, hash: before.hash };
}
