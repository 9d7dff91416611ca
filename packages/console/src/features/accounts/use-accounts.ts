import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
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
} from '../../api/accounts.ts';
import { ApiError } from '../../api/client.ts';
import { listMembers } from '../../api/project.ts';
import { type Loadable, loadableOf } from '../../api/query-state.ts';
import { useApi, useProjectId, useRights } from '../../session/session.ts';

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

interface AccountRights {
  readonly mayChange: boolean;
  /** Is it a member's account, and whoever is at the console no owner? */
  readonly isForOwners: boolean;
}

/** What may be done with an account: those of members are the owners' to change. An editor waits until it is known for one. */
export function useAccountRights(uid: string): AccountRights {
  const { mayChange, mayOwn } = useRights();
  const api = useApi();
  const project = useProjectId();
  const { data: members } = useQuery({
    queryKey: ['members', project],
    queryFn: () => listMembers(api, project),
    enabled: mayChange && !mayOwn,
  });
  if (!mayChange || mayOwn) return { mayChange, isForOwners: false };
  const isForOwners = members?.some((member) => member.uid === uid);
  return { mayChange: isForOwners === false, isForOwners: isForOwners === true };
}

/** Refusals of the official interface that people can do something about. */
const KNOWN = [
  'EMAIL_EXISTS',
  'INVALID_EMAIL',
  'PHONE_NUMBER_EXISTS',
  'INVALID_PHONE_NUMBER',
  'WEAK_PASSWORD',
  'PASSWORD_DOES_NOT_MEET_REQUIREMENTS',
  'USER_NOT_FOUND',
  'DUPLICATE_LOCAL_ID',
  'UNVERIFIED_EMAIL',
  'EMAIL_NOT_FOUND',
] as const;
type Known = (typeof KNOWN)[number];

/** Says refusals about accounts in the language of the page, with what to do. */
export function useExplained(): (error: unknown) => unknown {
  const { t } = useTranslation('accounts');
  return useCallback(
    (error) => {
      const code = findKnown(error);
      if (code === undefined || !(error instanceof ApiError)) return error;
      // What a password lacks is told after the code.
      const [, detail = ''] = error.message.split(/ : (.*)/s);
      const text = [t(`refusal.${code}`), detail].filter((part) => part !== '').join(' ');
      return new ApiError(error.status, text, error.code, error.details, { cause: error });
    },
    [t],
  );
}

function findKnown(error: unknown): Known | undefined {
  return error instanceof ApiError ? KNOWN.find((code) => code === error.code) : undefined;
}
