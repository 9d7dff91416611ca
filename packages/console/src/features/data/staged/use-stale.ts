import { isEqualNode } from '@hearth/core/tree/node.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { findStale, type StalePlace, type StalePlaces } from './find-stale.ts';
import { endsOf, parseTree, type StagedList, wholeGroups } from './staged-list.ts';
import type { Stage } from './use-stage.ts';

/** How often it is looked whether others have changed what is staged, in milliseconds. */
const CHECK_MS = 3_000;

interface StaleView {
  /** By path, what others have changed since it was staged. */
  readonly stale: StalePlaces;
  /** What is as it is to be already: somebody else did the same, or an answer was lost. */
  readonly there: StagedList;
  /** Looks at once. */
  check(): Promise<unknown>;
}

/** Follows whether staged places are as they were when they were staged. */
export function useStale({ list, desk }: Stage, isApplying: boolean): StaleView {
  // What was read once is not read again, however the list changes.
  const known = useRef(NONE);
  const {
    data: found = NONE,
    refetch,
    isPlaceholderData,
  } = useQuery({
    queryKey: ['staged', desk.database, list.map(({ path, before }) => [path, before.hash])],
    queryFn: async () => {
      known.current = await findStale(desk.api, desk.database, list, known.current);
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
  const there = isPlaceholderData ? [] : wholeGroups(list, (place) => isThere(found.get(place.path), place));
  const stale = new Map(
    list.flatMap((place) => {
      const one = found.get(place.path);
      // What was looked at before may have been decided meanwhile.
      return one === undefined || one.hash === place.before.hash || there.includes(place)
        ? []
        : [[place.path, one] as const];
    }),
  );
  return { stale, there, check: refetch };
}

const NONE: StalePlaces = new Map();

function isThere(found: StalePlace | undefined, place: StagedList[number]): boolean {
  return (
    found !== undefined &&
    found.current !== null &&
    isEqualNode(parseTree(found.current.text, place.path), endsOf(place).after)
  );
}
