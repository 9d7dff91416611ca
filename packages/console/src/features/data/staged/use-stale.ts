import { isEqualNode } from '@hearth/core/tree/node.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { NodePath } from '../model/node-path.ts';
import { findStale, type StalePlace } from './apply-staged.ts';
import { endsOf, parseTree, type StagedList, wholeGroups } from './staged-list.ts';
import type { Stage } from './use-stage.ts';

/** How often it is looked whether others have changed what is staged, in milliseconds. */
const CHECK_MS = 3_000;

interface StaleView {
  /** By path, what others have changed since it was staged. */
  readonly stale: ReadonlyMap<NodePath, StalePlace>;
  /** What is as it is to be already: somebody else did the same, or an answer was lost. */
  readonly there: StagedList;
  /** Looks at once. */
  check(): Promise<unknown>;
}

/** Follows whether staged places are as they were when they were staged. */
export function useStale({ list, desk }: Stage, isApplying: boolean): StaleView {
  const {
    data = [],
    refetch,
    isPlaceholderData,
  } = useQuery({
    queryKey: ['staged', desk.database, list.map(({ path, before }) => [path, before.hash])],
    queryFn: () => findStale(desk.api, desk.database, list),
    enabled: list.length > 0 && !isApplying,
    refetchInterval: CHECK_MS,
    retry: false,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  const found = new Map(data.map((one) => [one.path, one]));
  // Nothing is given up for what was looked at before it was staged.
  const there = isPlaceholderData ? [] : wholeGroups(list, (place) => isThere(found.get(place.path), place));
  const stale = new Map(
    list.flatMap((place) => {
      const one = found.get(place.path);
      // What was looked at before may have been decided meanwhile.
      return one === undefined || one.current?.hash === place.before.hash || there.includes(place)
        ? []
        : [[place.path, one] as const];
    }),
  );
  return { stale, there, check: refetch };
}

function isThere(found: StalePlace | undefined, place: StagedList[number]): boolean {
  return (
    found !== undefined &&
    found.current !== null &&
    isEqualNode(parseTree(found.current.text, place.path), endsOf(place).after)
  );
}
