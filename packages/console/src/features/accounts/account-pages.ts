import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type Account, type AccountOrder, listAccounts } from '../../api/accounts.ts';
import { type Loadable, loadable } from '../../api/query-state.ts';
import { useApi } from '../../session/session.ts';
import { type ChosenFilter, filterOf, isFiltered } from './filter.ts';
import { useAccountScope } from './use-accounts.ts';

const PAGE_ACCOUNTS = 100;

/** Number of accounts that are compared with a filter before the user decides whether to go on. */
const EXAMINED_AT_ONCE = 50_000;

/** Maximum number of accounts that scrolling loads. Users find the others by searching. */
export const MAX_LOADED = 20_000;

/** All accounts in an order, or those with a value that starts with a text. */
export type AccountSelection =
  | { readonly by: AccountOrder }
  | { readonly by: 'any'; readonly prefix: string };

export interface LoadedAccounts {
  readonly accounts: readonly Account[];
  readonly isFetching: boolean;
  /** Whether the accounts are those of the previous text, because the response for the current text has not arrived. */
  readonly isStale: boolean;
  /** When the first page was requested, in ms. It changes when all pages are requested again, but not with each further page. */
  readonly loadedAtMs: number;
  /** Number of accounts that were compared with the filter. */
  readonly examined: number;
  /** Compares more accounts with the filter; `null` if that is not needed or possible. */
  readonly searchOn: (() => void) | null;
  /** Fetches the next page; `null` at the end, and once `MAX_LOADED` accounts are loaded. */
  readonly more: (() => void) | null;
  /** Whether `MAX_LOADED` accounts are loaded, and more exist. */
  readonly isCut: boolean;
}

/** Options of the accounts that start with a text: the latest results stay until the next ones arrive, and are not stored. */
const WHILE_TYPING = {
  placeholderData: keepPreviousData,
  // After a change of accounts, `useAccountActions` repeats this request.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
} as const;

/** Loads the accounts of a selection that match a filter, page by page. */
export function useAccountPages(selection: AccountSelection, chosen: ChosenFilter): Loadable<LoadedAccounts> {
  const api = useApi();
  const scope = useAccountScope();
  const [rounds, setRounds] = useState(0);
  const query = useInfiniteQuery({
    queryKey: ['accounts', scope.project, scope.tenant, 'list', selection, chosen],
    queryFn: async ({ pageParam: after, signal }) => {
      const loadedAtMs = Date.now();
      const filter = filterOf(chosen, loadedAtMs);
      const range = { ...selection, after, limit: PAGE_ACCOUNTS };
      return { ...(await listAccounts(api, scope, { ...filter, ...range }, signal)), loadedAtMs };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    ...(selection.by === 'any' ? WHILE_TYPING : {}),
  });
  const { data, error, hasNextPage, isFetching, isPlaceholderData: isStale, fetchNextPage, refetch } = query;
  const pages = data?.pages;
  const accounts = useMemo(() => (pages ?? []).flatMap((page) => page.accounts), [pages]);
  const examined = (pages ?? []).reduce((sum, page) => sum + (page.examined ?? 0), 0);
  const isFull = accounts.length >= MAX_LOADED;
  // A page of a filtered list can have few accounts. The user decides whether the search goes on after many.
  const isSparse = isFiltered(chosen) && accounts.length < PAGE_ACCOUNTS;
  const canGoOn = hasNextPage && !isFetching && !isStale;
  const goesOn = isSparse && canGoOn && error === null && examined < EXAMINED_AT_ONCE * (rounds + 1);
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return loadable(
    pages && {
      accounts,
      isFetching,
      isStale,
      loadedAtMs: pages[0]?.loadedAtMs ?? 0,
      examined,
      searchOn: isSparse && canGoOn && !goesOn ? () => setRounds((before) => before + 1) : null,
      more: hasNextPage && !isFull && !isStale ? () => void (isFetching || fetchNextPage()) : null,
      isCut: hasNextPage && isFull,
    },
    error,
    () => void refetch(),
  );
}
