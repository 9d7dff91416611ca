import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Account, type AccountOrder, listAccounts } from '../../server/accounts.ts';
import { type Loadable, loadable } from '../../server/loadable.ts';
import { useApi, useProjectId } from '../../session/session.ts';

const PAGE_ACCOUNTS = 100;

/** Most accounts that the page holds, whatever is scrolled: who looks for others searches. */
export const MAX_LOADED = 20_000;

export interface LoadedAccounts {
  readonly accounts: readonly Account[];
  readonly isFetching: boolean;
  /** Fetches what follows; `null` at the end, and when there is no room for more. */
  readonly more: (() => void) | null;
  /** Are there others for which there is no room? */
  readonly isCut: boolean;
}

/** The accounts of the project in an order, as far as they have been fetched. */
export function useAccountList(order: AccountOrder): Loadable<LoadedAccounts> {
  const api = useApi();
  const project = useProjectId();
  const query = useInfiniteQuery({
    queryKey: ['accounts', project, 'list', order],
    queryFn: ({ pageParam: after, signal }) =>
      listAccounts(api, project, { by: order, after, limit: PAGE_ACCOUNTS }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = query;
  const pages = data?.pages;
  const accounts = useMemo(() => (pages ?? []).flatMap((page) => page.accounts), [pages]);
  const isFull = accounts.length >= MAX_LOADED;
  return loadable(
    pages && {
      accounts,
      isFetching,
      more: hasNextPage && !isFull ? () => void (isFetching || fetchNextPage()) : null,
      isCut: hasNextPage && isFull,
    },
    error,
    () => void refetch(),
  );
}
