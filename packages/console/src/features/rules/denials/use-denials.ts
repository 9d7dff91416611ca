import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Loadable, loadableOf } from '../../../server/loadable.ts';
import {
  changeDenialSettings,
  type DenialFilter,
  type DenialPage,
  type DenialSettings,
  type DenialVerdict,
  evaluateDenial,
  listDenials,
  readDenial,
  readDenialSettings,
  type WholeDenial,
} from '../../../server/rules-denials.ts';
import { useChanges } from '../../../server/use-changes.ts';
import { useApi } from '../../../session/session.ts';

/** How often the list is asked for while it is live, in milliseconds. */
const ASK_MS = 2_000;

/** The latest denials that a filter lets through, at most `limit`; while it is live, those that come too. */
export function useDenials(
  database: string,
  filter: DenialFilter,
  limit: number,
  isLive: boolean,
): Loadable<DenialPage> {
  const api = useApi();
  return loadableOf(
    useQuery({
      queryKey: ['denials', database, filter, limit],
      queryFn: () => listDenials(api, database, filter, limit),
      refetchInterval: isLive ? ASK_MS : false,
      placeholderData: keepPreviousData,
    }),
  );
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
export function useDraftVerdict(
  database: string,
  id: number,
  draft: string | undefined,
): DenialVerdict | undefined {
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
