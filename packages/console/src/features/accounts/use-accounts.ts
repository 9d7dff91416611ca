import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
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
import { TENANT } from '../../session/addresses.ts';
import { useApi, useProjectId, useRights } from '../../session/session.ts';

/** Returns the project, and the tenant that the address names; the views show only its accounts. */
export function useAccountScope(): { readonly project: string; readonly tenant: string | undefined } {
  const project = useProjectId();
  const [parameters] = useSearchParams();
  const tenant = parameters.get(TENANT) || undefined;
  return useMemo(() => ({ project, tenant }), [project, tenant]);
}

/** How long the number of accounts is cached. The server counts them one by one until its index of accounts is complete. */
const COUNT_FRESH_MS = 60_000;

/** Returns the number of accounts of the project; `undefined` until it is loaded. */
export function useAccountCount(): number | undefined {
  const api = useApi();
  const scope = useAccountScope();
  const query = useQuery({
    queryKey: ['accounts', scope.project, scope.tenant, 'count'],
    queryFn: () => countAccounts(api, scope),
    staleTime: COUNT_FRESH_MS,
  });
  return query.data;
}

/** Loads an account; `null` if it does not exist or was deleted. */
export function useAccount(uid: string): Loadable<Account | null> {
  const api = useApi();
  const scope = useAccountScope();
  return loadableOf(
    useQuery({
      queryKey: ['account', scope.project, scope.tenant ?? null, uid, 'record'],
      queryFn: () => findAccount(api, scope, uid),
    }),
  );
}

interface AccountActions {
  create(account: NewAccount): Promise<string>;
  change(uid: string, change: AccountChange): Promise<void>;
  remove(uids: readonly string[]): Promise<void>;
  endSessions(uid: string): Promise<void>;
  /** Requests all account data on the page again. */
  refresh(): Promise<void>;
}

/** Returns functions that change accounts. They reject with an `ApiError`. Call `refresh` afterwards to show the result. */
export function useAccountActions(): AccountActions {
  const api = useApi();
  const scope = useAccountScope();
  const { project } = scope;
  const client = useQueryClient();
  const refresh = useCallback(async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['accounts', project] }),
      client.invalidateQueries({ queryKey: ['account', project] }),
    ]);
  }, [client, project]);
  return {
    create: (account) => createAccount(api, scope, account),
    change: (uid, change) => changeAccount(api, scope, uid, change),
    remove: (uids) => deleteAccounts(api, scope, uids),
    endSessions: (uid) => endAllSessions(api, scope, uid),
    refresh,
  };
}

interface AccountRights {
  readonly mayChange: boolean;
  /** Whether the user is an editor and the account belongs to a member. Only owners may change such an account. */
  readonly isForOwners: boolean;
}

/**
 * Returns the user's rights to an account. Only owners may change accounts of members, so an editor may change nothing
 * until the member list is loaded.
 */
export function useAccountRights(uid: string): AccountRights {
  const { mayChange, mayOwn } = useRights();
  const api = useApi();
  const { project, tenant } = useAccountScope();
  const { data: members } = useQuery({
    queryKey: ['members', project],
    queryFn: () => listMembers(api, project),
    enabled: mayChange && !mayOwn && tenant === undefined,
  });
  // No account of a tenant belongs to a member.
  if (!mayChange || mayOwn || tenant !== undefined) return { mayChange, isForOwners: false };
  const isForOwners = members?.some((member) => member.uid === uid);
  return { mayChange: isForOwners === false, isForOwners: isForOwners === true };
}

/** Error codes of the Auth API that have a translated text. */
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

/** Returns a function that translates the message of an error about accounts. It returns an unknown error unchanged. */
export function useExplainError(): (error: unknown) => unknown {
  const { t } = useTranslation('accounts');
  return useCallback(
    (error) => {
      const code = findKnown(error);
      if (code === undefined || !(error instanceof ApiError)) return error;
      // If a password does not meet the policy, the server lists the unmet requirements after the code.
      const [, detail = ''] = error.message.split(/ : (.*)/s);
      const text = [t(`error.${code}`), detail].filter((part) => part !== '').join(' ');
      return new ApiError(error.status, text, error.code, error.details, { cause: error });
    },
    [t],
  );
}

function findKnown(error: unknown): Known | undefined {
  return error instanceof ApiError ? KNOWN.find((code) => code === error.code) : undefined;
}
