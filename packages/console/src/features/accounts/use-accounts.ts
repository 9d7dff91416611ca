import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import {
  type Account,
  type AccountChange,
  changeAccount,
  countAccounts,
  createAccount,
  deleteAccounts,
  endAllSessions,
  findAccount,
  type NewAccount,
} from '../../server/accounts.ts';
import { type Loadable, loadableOf } from '../../server/loadable.ts';
import { useApi, useProjectId } from '../../session/session.ts';

/** Long, because the server counts them one by one. */
const COUNT_FRESH_MS = 60_000;

/** How many accounts the project has; `undefined` until that is known. */
export function useAccountCount(): number | undefined {
  const api = useApi();
  const project = useProjectId();
  const query = useQuery({
    queryKey: ['accounts', project, 'count'],
    queryFn: () => countAccounts(api, project),
    staleTime: COUNT_FRESH_MS,
  });
  return query.data;
}

/** An account; `null` when there is none of this user id, or none any more. */
export function useAccount(uid: string): Loadable<Account | null> {
  const api = useApi();
  const project = useProjectId();
  return loadableOf(
    useQuery({
      queryKey: ['account', project, uid, 'record'],
      queryFn: () => findAccount(api, project, uid),
    }),
  );
}

interface AccountActions {
  create(account: NewAccount): Promise<string>;
  change(uid: string, change: AccountChange): Promise<void>;
  remove(uids: readonly string[]): Promise<void>;
  endSessions(uid: string): Promise<void>;
  /** Has everything of accounts on the screen asked for again. */
  refresh(): Promise<void>;
}

/** Changes of accounts. They reject with an `ApiError`; `refresh` shows what has become of them. */
export function useAccountActions(): AccountActions {
  const api = useApi();
  const project = useProjectId();
  const client = useQueryClient();
  const refresh = useCallback(async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['accounts', project] }),
      client.invalidateQueries({ queryKey: ['account', project] }),
    ]);
  }, [client, project]);
  return {
    create: (account) => createAccount(api, project, account),
    change: (uid, change) => changeAccount(api, project, uid, change),
    remove: (uids) => deleteAccounts(api, project, uids),
    endSessions: (uid) => endAllSessions(api, project, uid),
    refresh,
  };
}
