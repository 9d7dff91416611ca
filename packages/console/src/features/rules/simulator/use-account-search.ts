import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { type Account, findAccountsByStart } from '../../../server/accounts.ts';
import { useApi, useProjectId } from '../../../session/session.ts';

/** Accounts that are offered at a time. */
const LIMIT = 8;

/** Accounts whose address, number, uid or a word of whose name begins with a text; none for the empty one. */
export function useAccountSearch(text: string): {
  readonly accounts: readonly Account[];
  readonly isLoading: boolean;
} {
  const api = useApi();
  const project = useProjectId();
  const prefix = useDeferredValue(text.trim());
  const { data = [], isFetching } = useQuery({
    queryKey: ['accounts', project, 'beginning', prefix],
    queryFn: ({ signal }) => findAccountsByStart(api, project, prefix, LIMIT, signal),
    enabled: prefix !== '',
    // Whoever types on goes on choosing among those who are shown; one that an arrow has marked must not go away.
    placeholderData: (found, query) => (beginsLike(prefix, query?.queryKey.at(-1)) ? found : undefined),
  });
  return { accounts: prefix === '' ? [] : data, isLoading: isFetching };
}

function beginsLike(prefix: string, earlier: unknown): boolean {
  return typeof earlier === 'string' && prefix.startsWith(earlier);
}
