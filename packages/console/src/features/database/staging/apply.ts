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
import { notify } from '../../../ui/notices.tsx';
import { useUndo } from '../changes/use-undo.ts';
import { ConcurrentChange, MAX_READS, mapInBatches, requireWritten } from '../edit/change-nodes.ts';
import type { NodePath } from '../model/node-path.ts';
import type { StagingStore } from './stage-nodes.ts';
import { completeGroups, parseTree, type StagedEdit, type StagedList, treesOf } from './store.ts';
import { type Stage, useExplainError } from './use-staging.ts';

type Applied = { readonly kind: 'applied'; readonly change: number | null } | { readonly kind: 'outdated' };

/**
 * Writes all staged edits atomically. Writes nothing if others have changed a path since it was staged. Rejects with
 * `ValueAbove` if a value is above an added node.
 */
async function applyStaged(api: Api, database: string, list: StagedList): Promise<Applied> {
  try {
    return { kind: 'applied', change: await requireWritten(api, database, list, list.map(seenOf)) };
  } catch (error) {
    if (error instanceof ConcurrentChange) return { kind: 'outdated' };
    throw error;
  }
}

function seenOf({ path, before }: StagedEdit): SeenNode {
  return { path, hash: before.hash };
}

/** A path that another user has changed since it was staged. */
export interface StalePath {
  readonly path: NodePath;
  /** Hash of the current node. */
  readonly hash: string;
  /** The current node; `null` if it is too large to be shown. */
  readonly current: NodeText | null;
}

export type StalePaths = ReadonlyMap<NodePath, StalePath>;

/**
 * Finds the paths that others have changed since they were staged, with one request for all of them. Reads only the paths that
 * have changed since `known`, at most `MAX_READS` at a time.
 */
export async function findStale(
  api: Api,
  database: string,
  list: StagedList,
  known: StalePaths,
): Promise<StalePaths> {
  const seen = list.map(({ path, before }) => ({ path, hash: known.get(path)?.hash ?? before.hash }));
  // An empty change fails if any node differs from its expected hash.
  const outcome = await writeChanges(api, database, [], seen, false);
  const reported = new Map(
    outcome.kind === 'stale' ? outcome.found.map(({ path, hash }) => [path, hash]) : [],
  );
  const stale = list.filter(({ path, before }) => {
    const hash = reported.get(path) ?? known.get(path)?.hash ?? before.hash;
    return hash !== before.hash;
  });
  const found = await mapInBatches(stale, MAX_READS, async ({ path }): Promise<StalePath> => {
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

/** Progress of applying the staged edits. */
export type Applying =
  /** Nothing is being applied. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running' }
  /** Nothing was applied, or the outcome is unknown. */
  | { readonly kind: 'failed'; readonly list: StagedList; readonly error: Error };

/** Returns the function that applies all staged edits atomically, and its progress. `apply` returns whether they were applied. */
export function useApply(stagingStore: StagingStore): {
  readonly applying: Applying;
  apply(): Promise<boolean>;
} {
  const { t, i18n } = useTranslation('data');
  const explain = useExplainError();
  const [applying, setApplying] = useState<Applying>({ kind: 'waiting' });
  const { api, database } = stagingStore;
  const { undo } = useUndo(database);
  async function apply(): Promise<boolean> {
    const sent = stagingStore.list();
    setApplying({ kind: 'running' });
    let change: number | null;
    try {
      const applied = await applyStaged(api, database, sent);
      if (applied.kind === 'outdated') {
        setApplying({ kind: 'failed', list: sent, error: new Error(t('staged.notApplied')) });
        return false;
      }
      change = applied.change;
    } catch (error) {
      setApplying({
        kind: 'failed',
        list: sent,
        error: isUnanswered(error) ? new Error(t('staged.unanswered'), { cause: error }) : explain(error),
      });
      return false;
    }
    setApplying({ kind: 'waiting' });
    stagingStore.put(stagingStore.list().filter((edit) => !sent.includes(edit)));
    const number = sent.length.toLocaleString(i18n.language);
    notify({
      kind: 'done',
      text: t('staged.applied', { count: sent.length, number }),
      ...(change === null ? {} : { undo: () => undo(change) }),
    });
    return true;
  }
  return { applying, apply };
}

/** Interval in ms between checks whether others have changed staged paths. */
const CHECK_MS = 3_000;

interface StaleView {
  /** Paths that others have changed since they were staged. */
  readonly stale: StalePaths;
  /** Edits that the data already contains, because another user made the same change, or because a response was lost. */
  readonly alreadyApplied: StagedList;
  /** Checks immediately. */
  check(): Promise<unknown>;
}

/** Checks repeatedly whether others have changed staged paths, and returns the latest result. */
export function useStale({ list, stagingStore }: Stage, isApplying: boolean): StaleView {
  // Kept across changes of the list, so that each changed path is read only once.
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
    // A map cannot be compared structurally.
    structuralSharing: false,
    enabled: list.length > 0 && !isApplying,
    refetchInterval: CHECK_MS,
    retry: false,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  // A result for a previous list does not cover edits that were staged later.
  const alreadyApplied = isPlaceholderData
    ? []
    : completeGroups(list, (edit) => isAlreadyApplied(found.get(edit.path), edit));
  const stale = new Map(
    list.flatMap((edit) => {
      const one = found.get(edit.path);
      // The user may have resolved the conflict since the check.
      return one === undefined || one.hash === edit.before.hash || alreadyApplied.includes(edit)
        ? []
        : [[edit.path, one] as const];
    }),
  );
  return { stale, alreadyApplied, check: refetch };
}

const NONE: StalePaths = new Map();

function isAlreadyApplied(found: StalePath | undefined, edit: StagedEdit): boolean {
  return (
    found !== undefined &&
    found.current !== null &&
    isEqualNode(parseTree(found.current.text, edit.path), treesOf(edit).after)
  );
}
