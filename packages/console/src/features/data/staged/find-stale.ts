import type { Api } from '../../../server/api.ts';
import {
  MAX_TEXT_BYTES,
  measureNode,
  type NodeText,
  readNode,
  writeChanges,
} from '../../../server/data-nodes.ts';
import { MAX_READS } from '../edit/change-nodes.ts';
import type { NodePath } from '../model/node-path.ts';
import { someAtATime } from '../model/some-at-a-time.ts';
import type { StagedList } from './staged-list.ts';

/** A place that somebody else has changed since it was staged. */
export interface StalePlace {
  readonly path: NodePath;
  /** Of what stands there now. */
  readonly hash: string;
  /** What stands there now; `null` when it is too large to be shown. */
  readonly current: NodeText | null;
}

export type StalePlaces = ReadonlyMap<NodePath, StalePlace>;

/**
 * Finds the places that are not as they were when they were staged, by one question about all of them. What others have
 * changed since it was `known` is read, a few places at a time.
 */
export async function findStale(
  api: Api,
  database: string,
  list: StagedList,
  known: StalePlaces,
): Promise<StalePlaces> {
  const seen = list.map(({ path, before }) => ({ path, hash: known.get(path)?.hash ?? before.hash }));
  // A change of nothing is refused if anything is not as it was.
  const outcome = await writeChanges(api, database, [], seen, false);
  const told = new Map(outcome.kind === 'stale' ? outcome.found.map(({ path, hash }) => [path, hash]) : []);
  const stale = list.filter(({ path, before }) => {
    const hash = told.get(path) ?? known.get(path)?.hash ?? before.hash;
    return hash !== before.hash;
  });
  const found = await someAtATime(stale, MAX_READS, async ({ path }): Promise<StalePlace> => {
    const hash = told.get(path);
    const former = known.get(path);
    return hash === undefined && former !== undefined ? former : await readStale(api, database, path, hash);
  });
  return new Map(found.map((one) => [one.path, one]));
}

async function readStale(api: Api, database: string, path: NodePath, hash = ''): Promise<StalePlace> {
  if ((await measureNode(api, database, path, MAX_TEXT_BYTES)) === null) return { path, hash, current: null };
  const current = await readNode(api, database, path);
  return { path, hash: current.hash, current };
}
