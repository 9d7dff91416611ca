import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { type Account, listAccounts } from '../../../server/accounts.ts';
import { useApi, useProjectId } from '../../../session/session.ts';

/** Accounts that are offered at a time. */
const LIMIT = 8;

/** Accounts whose e-mail address or uid begins with a text; none for the empty one. */
export function useAccountSearch(text: string): {
  readonly accounts: readonly Account[];
  readonly isLoading: boolean;
} {
  const api = useApi();
  const project = useProjectId();
  const prefix = useDeferredValue(text.trim());
  const { data = [], isFetching } = useQuery({
    queryKey: ['accounts', project, 'beginning', prefix],
    queryFn: async () => {
      const [byEmail, byUid] = await Promise.all([
        listAccounts(api, project, { by: 'email', prefix: prefix.toLowerCase(), limit: LIMIT }),
        listAccounts(api, project, { by: 'uid', prefix, limit: LIMIT }),
      ]);
      const found = new Map(
        [...byEmail.accounts, ...byUid.accounts].map((account) => [account.localId, account]),
      );
      return [...found.values()].slice(0, LIMIT);
    },
    enabled: prefix !== '',
  });
  return { accounts: prefix === '' ? [] : data, isLoading: isFetching };
}
