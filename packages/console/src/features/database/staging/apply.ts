import { isEqualNode } from '@hearth/core/tree/node.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Api, isUnanswered } from '../../../api/client.ts';
import {
  MAX_TEXT_BYTES,
  measureNode,
  type NodeText,
  readNode,
  type SeenNode,
  writeChanges,
} from '../../../api/data-nodes.ts';
import { notify, reportFailure } from '../../../ui/notices.tsx';
import { ChangedMeanwhile, MAX_READS, requireWritten, someAtATime } from '../edit/change-nodes.ts';
import type { NodePath } from '../model/node-path.ts';
import type { StagingStore } from './stage-nodes.ts';
import { endsOf, inverseOf, parseTree, type StagedList, type StagedPath, wholeGroups } from './store.ts';
import { type Stage, useExplained } from './use-staging.ts';

/**
 * Writes everything that is staged at once, or nothing: false if something is not as it was when it was staged. Rejects
 * with `ValueAbove` when a value has come to be above an added node.
 */
async function applyStaged(api: Api, database: string, list: StagedList): Promise<boolean> {
  try {
    await requireWritten(api, database, list, list.map(seenOf));
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
async function undoStaged(api: Api, database: string, list: StagedList): Promise<void> {
  const seen = await someAtATime(list, MAX_READS, async (location): Promise<SeenNode> => {
    const { text, hash } = await readNode(api, database, location.path);
    if (!isEqualNode(parseTree(text, location.path), endsOf(location).after)) throw new ChangedMeanwhile();
    return { path: location.path, hash };
  });
  await requireWritten(api, database, inverseOf(list), seen);
}

function seenOf({ path, before }: StagedPath): SeenNode {
  return { path, hash: before.hash };
}

/** A place that somebody else has changed since it was staged. */
export interface StalePath {
  readonly path: NodePath;
  /** Of what stands there now. */
  readonly hash: string;
  /** What stands there now; `null` when it is too large to be shown. */
  readonly current: NodeText | null;
}

export type StalePaths = ReadonlyMap<NodePath, StalePath>;

/**
 * Finds the places that are not as they were when they were staged, by one question about all of them. What others have
 * changed since it was `known` is read, a few places at a time.
 */
export async function findStale(
  api: Api,
  database: string,
  list: StagedList,
  known: StalePaths,
): Promise<StalePaths> {
  const seen = list.map(({ path, before }) => ({ path, hash: known.get(path)?.hash ?? before.hash }));
  // A change of nothing is refused if anything is not as it was.
  const outcome = await writeChanges(api, database, [], seen, false);
  const reported = new Map(
    outcome.kind === 'stale' ? outcome.found.map(({ path, hash }) => [path, hash]) : [],
  );
  const stale = list.filter(({ path, before }) => {
    const hash = reported.get(path) ?? known.get(path)?.hash ?? before.hash;
    return hash !== before.hash;
  });
  const found = await someAtATime(stale, MAX_READS, async ({ path }): Promise<StalePath> => {
    const hash = reported.get(path);
    const former = known.get(path);
    return hash === undefined && former !== undefined ? former : await readStale(api, database, path, hash);
  });
  return new Map(found.map((one) => [one.path, one]));
}

async function readStale(api: Api, database: string, path: NodePath, hash = ''): Promise<StalePath> {
  if ((await measureNode(api, database, path, MAX_TEXT_BYTES)) === null) return { path, hash, current: null };
  const current = await readNode(api, database, path);
  return { path, hash: current.hash, current };
}

/** How far the staged edits have come on their way to the server. */
export type Applying =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running' }
  /** Nothing was done, or it is not known. */
  | { readonly kind: 'failed'; readonly list: StagedList; readonly error: Error };

/** Applies what is staged, all at once. `apply` says whether it did. */
export function useApply(stagingStore: StagingStore): {
  readonly applying: Applying;
  apply(): Promise<boolean>;
} {
  const { t, i18n } = useTranslation('data');
  const explain = useExplained();
  const [applying, setApplying] = useState<Applying>({ kind: 'waiting' });
  const { api, database } = stagingStore;
  async function undo(sent: StagedList): Promise<void> {
    try {
      await undoStaged(api, database, sent);
      notify({ kind: 'done', text: t('undone') });
    } catch (error) {
      reportFailure(explain(error));
    }
  }
  async function apply(): Promise<boolean> {
    const sent = stagingStore.list();
    setApplying({ kind: 'running' });
    try {
      if (!(await applyStaged(api, database, sent))) {
        setApplying({ kind: 'failed', list: sent, error: new Error(t('staged.notApplied')) });
        return false;
      }
    } catch (error) {
      setApplying({
        kind: 'failed',
        list: sent,
        error: isUnanswered(error) ? new Error(t('staged.unanswered'), { cause: error }) : explain(error),
      });
      return false;
    }
    setApplying({ kind: 'waiting' });
    stagingStore.put(stagingStore.list().filter((location) => !sent.includes(location)));
    const number = sent.length.toLocaleString(i18n.language);
    notify({
      kind: 'done',
      text: t('staged.applied', { count: sent.length, number }),
      undo: () => undo(sent),
    });
    return true;
  }
  return { applying, apply };
}

/** How often it is looked whether others have changed what is staged, in milliseconds. */
const CHECK_MS = 3_000;

interface StaleView {
  /** By path, what others have changed since it was staged. */
  readonly stale: StalePaths;
  /** What is as it is to be already: somebody else did the same, or an answer was lost. */
  readonly there: StagedList;
  /** Looks at once. */
  check(): Promise<unknown>;
}

/** Follows whether staged places are as they were when they were staged. */
export function useStale({ list, stagingStore }: Stage, isApplying: boolean): StaleView {
  // What was read once is not read again, however the list changes.
  const known = useRef(NONE);
  const {
    data: found = NONE,
    refetch,
    isPlaceholderData,
  } = useQuery({
    queryKey: ['staged', stagingStore.database, list.map(({ path, before }) => [path, before.hash])],
    queryFn: async () => {
      known.current = await findStale(stagingStore.api, stagingStore.database, list, known.current);
      return known.current;
    },
    // It is no tree of data that could be compared.
    structuralSharing: false,
    enabled: list.length > 0 && !isApplying,
    refetchInterval: CHECK_MS,
    retry: false,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  // Nothing is given up for what was looked at before it was staged.
  const there = isPlaceholderData
    ? []
    : wholeGroups(list, (location) => isThere(found.get(location.path), location));
  const stale = new Map(
    list.flatMap((location) => {
      const one = found.get(location.path);
      // What was looked at before may have been decided meanwhile.
      return one === undefined || one.hash === location.before.hash || there.includes(location)
        ? []
        : [[location.path, one] as const];
    }),
  );
  return { stale, there, check: refetch };
}

const NONE: StalePaths = new Map();

function isThere(found: StalePath | undefined, location: StagedList[number]): boolean {
  return (
    found !== undefined &&
    found.current !== null &&
    isEqualNode(parseTree(found.current.text, location.path), endsOf(location).after)
  );
}
