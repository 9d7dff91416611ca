import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import {
  changeDenialSettings,
  type DenialEvent,
  type DenialFilter,
  type DenialPage,
  type DenialResult,
  type DenialSettings,
  evaluateDenial,
  followDenials,
  listDenials,
  readDenial,
  readDenialSettings,
  type WholeDenial,
} from '../../../api/denials.ts';
import {
  type Loadable,
  loadableOf,
  type StreamState,
  useChanges,
  useStream,
} from '../../../api/query-state.ts';
import { useApi } from '../../../session/session.ts';

/** Maximum number of listed denials. Users find older ones with a filter. */
export const MAX_SHOWN = 200;

/** Loads the latest denials that match a filter. New ones are added at the top while `isLive` is true. */
export function useDenials(
  database: string,
  { path, rule, uid }: DenialFilter,
  isLive: boolean,
): { readonly page: Loadable<DenialPage>; readonly stream: StreamState } {
  const api = useApi();
  const client = useQueryClient();
  const queryKey = useMemo(() => ['denials', database, 'list', path, rule, uid], [database, path, rule, uid]);
  const query = useQuery({
    queryKey,
    queryFn: () => listDenials(api, database, { path, rule, uid }, MAX_SHOWN),
    // After the first load, the stream updates the list. While it is paused, the list must not change.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const open = useCallback(
    (signal: AbortSignal) => followDenials(api, database, { path, rule, uid }, MAX_SHOWN, signal),
    [api, database, path, rule, uid],
  );
  const stream = useStream(
    isLive && query.isSuccess && !query.isPlaceholderData ? open : undefined,
    (event) => client.setQueryData<DenialPage>(queryKey, (before) => pageAfter(before, event)),
  );
  return { page: loadableOf(query), stream };
}

/** Returns the list after an event of the stream. */
function pageAfter(before: DenialPage | undefined, { kind, denials, sampledOut }: DenialEvent): DenialPage {
  const earlier = kind === 'page' ? [] : (before?.denials ?? []);
  return { denials: [...denials, ...earlier].slice(0, MAX_SHOWN), sampledOut };
}

export function useDenial(database: string, id: number): Loadable<WholeDenial> {
  const api = useApi();
  return loadableOf(
    useQuery({
      queryKey: ['denials', database, id],
      queryFn: () => readDenial(api, database, id),
      staleTime: Infinity,
    }),
  );
}

/** Returns how a draft would have decided a denied operation; `undefined` without a draft, or while it is loading. */
export function useDraftDecision(
  database: string,
  id: number,
  draft: string | undefined,
): DenialResult | undefined {
  const api = useApi();
  return useQuery({
    queryKey: ['denials', database, id, 'draft', draft],
    queryFn: () => evaluateDenial(api, database, id, draft ?? ''),
    enabled: draft !== undefined,
  }).data;
}

export function useDenialSettings(database: string): {
  readonly settings: Loadable<DenialSettings>;
  change(change: Partial<DenialSettings>): Promise<DenialSettings>;
} {
  const api = useApi();
  const queryKey = ['denials', database, 'settings'];
  const change = useChanges(queryKey);
  return {
    settings: loadableOf(useQuery({ queryKey, queryFn: () => readDenialSettings(api, database) })),
    change: (some) => change(() => changeDenialSettings(api, database, some)),
  };
}
