import { isEqualNode } from '@hearth/core/tree/node.ts';
import type { Api } from '../../../server/api.ts';
import { readNode, type SeenNode } from '../../../server/data-nodes.ts';
import { ChangedMeanwhile, MAX_READS, mustWrite } from '../edit/change-nodes.ts';
import { someAtATime } from '../model/some-at-a-time.ts';
import { endsOf, inverseOf, parseTree, type StagedList, type StagedPlace } from './staged-list.ts';

/**
 * Writes everything that is staged at once, or nothing: false if something is not as it was when it was staged. Rejects
 * with `ValueAbove` when a value has come to be above an added node.
 */
export async function applyStaged(api: Api, database: string, list: StagedList): Promise<boolean> {
  try {
    await mustWrite(api, database, list, list.map(seenOf));
    return true;
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return false;
    throw error;
  }
}

/**
 * Takes back what was applied. Rejects with `ChangedMeanwhile` if any of it is not what was written, and with `ValueAbove`
 * when a value has come to be above a removed node.
 */
export async function undoStaged(api: Api, database: string, list: StagedList): Promise<void> {
  const seen = await someAtATime(list, MAX_READS, async (place): Promise<SeenNode> => {
    const { text, hash } = await readNode(api, database, place.path);
    if (!isEqualNode(parseTree(text, place.path), endsOf(place).after)) throw new ChangedMeanwhile();
    return { path: place.path, hash };
  });
  await mustWrite(api, database, inverseOf(list), seen);
}

function seenOf({ path, before }: StagedPlace): SeenNode {
  return { path, hash: before.hash };
}
