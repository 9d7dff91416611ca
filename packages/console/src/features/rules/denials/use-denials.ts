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

/** Most denials that the list has; of others the log tells those that a filter lets through. */
export const MAX_SHOWN = 200;

/** The latest denials that a filter lets through, and unless it is paused those that come, at the top. */
export function useDenials(
  database: string,
  { path, rule }: DenialFilter,
  isLive: boolean,
): { readonly page: Loadable<DenialPage>; readonly stream: StreamState } {
  const api = useApi();
  const client = useQueryClient();
  const queryKey = useMemo(() => ['denials', database, 'list', path, rule], [database, path, rule]);
  const query = useQuery({
    queryKey,
    queryFn: () => listDenials(api, database, { path, rule }, MAX_SHOWN),
    // From then on the stream tells, and while it is paused nothing is to change.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const open = useCallback(
    (signal: AbortSignal) => followDenials(api, database, { path, rule }, MAX_SHOWN, signal),
    [api, database, path, rule],
  );
  const stream = useStream(
    isLive && query.isSuccess && !query.isPlaceholderData ? open : undefined,
    (event) => client.setQueryData<DenialPage>(queryKey, (before) => pageAfter(before, event)),
  );
  return { page: loadableOf(query), stream };
}

/** The list when a stream has told something. */
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

/** What a draft would have said; `undefined` where there is none, or until it is known. */
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
