import type { Api } from './client.ts';

/** The order of an account list: `uid` and `email` ascend, `created` and `seen` have the latest first. */
export type AccountOrder = 'uid' | 'email' | 'created' | 'seen';

/** A way to sign in to an account. */
export interface AccountProvider {
  readonly providerId: string;
  readonly rawId?: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly displayName?: string;
}

/** A second factor of an account; without `phoneInfo`, it is an authenticator app. */
export interface AccountFactor {
  readonly mfaEnrollmentId: string;
  readonly displayName?: string;
  /** ISO 8601 date and time. */
  readonly enrolledAt?: string;
  readonly phoneInfo?: string;
}

/** A passkey of an account; times are ISO 8601. */
export interface AccountPasskey {
  readonly credentialId: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
}

/** An account as the Auth API returns it; times are milliseconds since 1970, as text. */
export interface Account {
  readonly localId: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly displayName?: string;
  readonly photoUrl?: string;
  readonly phoneNumber?: string;
  /** Present if the account has a password; the value has no meaning. */
  readonly passwordHash?: string;
  readonly providerUserInfo?: readonly AccountProvider[];
  /** Whether the user signs in with custom tokens. */
  readonly customAuth?: boolean;
  readonly disabled?: boolean;
  readonly createdAt: string;
  readonly lastLoginAt?: string;
  readonly customAttributes?: string;
  readonly mfaInfo?: readonly AccountFactor[];
  readonly passkeyInfo?: readonly AccountPasskey[];
}

export interface AccountPage {
  readonly accounts: readonly Account[];
  /** The `after` parameter of the next page; `null` after the last page. */
  readonly next: string | null;
}

export interface AccountQuery {
  readonly by: AccountOrder;
  readonly after: string | undefined;
  /** 1 to 200. */
  readonly limit: number;
}

/**
 * A line of the response to a search: a match, the progress, or the end. `looked` counts the searched accounts, `found`
 * the matches.
 */
export type AccountSearchLine =
  | { readonly kind: 'account'; readonly account: Account }
  | { readonly kind: 'progress'; readonly looked: number; readonly found: number }
  | { readonly kind: 'done'; readonly looked: number; readonly found: number; readonly isComplete: boolean };

/** A change of an account; an empty string removes the field. */
export interface AccountChange {
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly displayName?: string;
  readonly photoUrl?: string;
  readonly phoneNumber?: string;
  readonly password?: string;
  readonly disableUser?: boolean;
  readonly customAttributes?: string;
  /** Ends the sessions that started earlier; seconds since 1970, as text. */
  readonly validSince?: string;
  readonly mfa?: { readonly enrollments: readonly AccountFactor[] };
  readonly deleteProvider?: readonly string[];
  readonly deletePasskey?: readonly string[];
  readonly deleteAttribute?: readonly string[];
}

export interface NewAccount {
  readonly email?: string;
  readonly password?: string;
  readonly displayName?: string;
  readonly phoneNumber?: string;
  readonly localId?: string;
  readonly emailVerified?: boolean;
}

/** Returns an address of the Auth API below `accounts`. */
export function accountsAt(project: string, rest: string): string {
  return `/identitytoolkit.googleapis.com/v1/projects/${encodeURIComponent(project)}/accounts${rest}`;
}

function listAt(project: string): string {
  return `/api/projects/${encodeURIComponent(project)}/accounts`;
}

export function listAccounts(
  api: Api,
  project: string,
  query: AccountQuery,
  signal?: AbortSignal,
): Promise<AccountPage> {
  return api.json(listAt(project), { query: { ...query }, signal });
}

/** Finds accounts whose email, phone number, user ID or a word of the name starts with a text. `limit` is at most 200. */
export async function findAccountsByStart(
  api: Api,
  project: string,
  text: string,
  limit: number,
  signal?: AbortSignal,
): Promise<readonly Account[]> {
  const query = { by: 'any', prefix: text, limit };
  const { accounts } = await api.json<AccountPage>(listAt(project), { query, signal });
  return accounts;
}

/**
 * Yields the accounts that have a text anywhere in the user ID, email, phone number or name, and the progress. `limit` is
 * at most 1,000.
 */
export function searchAccounts(
  api: Api,
  project: string,
  text: string,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<AccountSearchLine, void, undefined> {
  return api.lines(`${listAt(project)}/search`, { query: { text, limit }, signal });
}

export async function countAccounts(api: Api, project: string): Promise<number> {
  const { recordsCount } = await api.json<{ readonly recordsCount: string }>(accountsAt(project, ':query'), {
    method: 'POST',
    body: { returnUserInfo: false },
  });
  return Number(recordsCount);
}

export async function findAccount(api: Api, project: string, uid: string): Promise<Account | null> {
  const [account] = await findAccounts(api, project, [uid]);
  return account ?? null;
}

/** Returns the accounts with these user IDs; those that do not exist are left out. */
export async function findAccounts(
  api: Api,
  project: string,
  uids: readonly string[],
): Promise<readonly Account[]> {
  const { users = [] } = await api.json<{ readonly users?: readonly Account[] }>(
    accountsAt(project, ':lookup'),
    { method: 'POST', body: { localId: uids } },
  );
  return users;
}

/** Creates an account and returns its user ID. */
export async function createAccount(api: Api, project: string, account: NewAccount): Promise<string> {
  const { localId } = await api.json<{ readonly localId: string }>(accountsAt(project, ''), {
    method: 'POST',
    body: account,
  });
  return localId;
}

export async function changeAccount(
  api: Api,
  project: string,
  localId: string,
  change: AccountChange,
): Promise<void> {
  await api.send(accountsAt(project, ':update'), { method: 'POST', body: { localId, ...change } });
}

/** Signs the user out on all devices. */
export function endAllSessions(api: Api, project: string, uid: string): Promise<void> {
  return changeAccount(api, project, uid, { validSince: String(Math.floor(Date.now() / 1_000)) });
}

/** Deletes at most 1,000 accounts; missing accounts are not an error. */
export async function deleteAccounts(api: Api, project: string, localIds: readonly string[]): Promise<void> {
  await api.send(accountsAt(project, ':batchDelete'), { method: 'POST', body: { localIds, force: true } });
}
