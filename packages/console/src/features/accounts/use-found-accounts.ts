import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Account, findAccountsByStart } from '../../server/accounts.ts';
import { type Loadable, loadable } from '../../server/loadable.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { type AccountSearch, useAccountSearch } from './use-account-search.ts';

/** Most accounts that are found by what begins with the text. */
const MAX_AT_ONCE = 100;

interface FoundAccounts {
  /** Those that indexes tell at once, then those that the search has found. */
  readonly accounts: readonly Account[];
  /** Have the indexes not answered for this text? */
  readonly isStale: boolean;
}

/** What is found of a text: at once by indexes, and by a search through all accounts if that is wanted. */
export function useFoundAccounts(
  text: string,
  isSearching: boolean,
): { readonly found: Loadable<FoundAccounts>; readonly search: AccountSearch } {
  const api = useApi();
  const project = useProjectId();
  const query = useQuery({
    queryKey: ['accounts', project, 'beginning', text],
    queryFn: ({ signal }) => findAccountsByStart(api, project, text, MAX_AT_ONCE, signal),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    // Asked again when accounts have changed, and then what all were looked through for is looked for again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { data, dataUpdatedAt, isPlaceholderData: isStale, error, refetch } = query;
  const isReady = data !== undefined && !isStale;
  const search = useAccountSearch(text, dataUpdatedAt, isSearching && isReady);
  const accounts = useMemo(
    () => [
      ...new Map([...(data ?? []), ...search.accounts].map((account) => [account.localId, account])).values(),
    ],
    [data, search.accounts],
  );
  return { found: loadable(data && { accounts, isStale }, error, () => void refetch()), search };
}
