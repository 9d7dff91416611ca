import type { Api } from './api.ts';

/** A way to sign in to an account. */
export interface AccountProvider {
  readonly providerId: string;
  readonly rawId?: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly displayName?: string;
}

/** A second factor of an account; without `phoneInfo`, an app for codes. */
export interface AccountFactor {
  readonly mfaEnrollmentId: string;
  readonly displayName?: string;
  /** Date and time as ISO 8601 writes it. */
  readonly enrolledAt?: string;
  readonly phoneInfo?: string;
}

/** An account as the official interface shows it; times are milliseconds since 1970, as text. */
export interface Account {
  readonly localId: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly displayName?: string;
  readonly photoUrl?: string;
  readonly phoneNumber?: string;
  /** Is there if the account has a password; says nothing else. */
  readonly passwordHash?: string;
  readonly providerUserInfo?: readonly AccountProvider[];
  readonly disabled?: boolean;
  readonly createdAt: string;
  readonly lastLoginAt?: string;
  readonly customAttributes?: string;
  readonly mfaInfo?: readonly AccountFactor[];
}

export interface AccountPage {
  readonly accounts: readonly Account[];
  /** Ask with it for those that follow; `null` after the last. */
  readonly next: string | null;
  /** Accounts that were looked at. */
  readonly looked: number;
}

/** Which accounts; `text` goes with `after` and `limit` alone. */
export interface AccountQuery {
  readonly by?: 'uid' | 'email';
  readonly prefix?: string;
  readonly text?: string;
  readonly after?: string | undefined;
  readonly limit?: number;
}

/** What is to be different about an account; empty texts take away. */
export interface AccountChange {
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly displayName?: string;
  readonly photoUrl?: string;
  readonly phoneNumber?: string;
  readonly password?: string;
  readonly disableUser?: boolean;
  readonly customAttributes?: string;
  /** Ends all sessions. In seconds since 1970. */
  readonly validSince?: string;
  readonly mfa?: { readonly enrollments: readonly AccountFactor[] };
  readonly deleteProvider?: readonly string[];
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

/** Address of what the official interface has about accounts. */
export function accountsAt(project: string, rest: string): string {
  return `/identitytoolkit.googleapis.com/v1/projects/${encodeURIComponent(project)}/accounts${rest}`;
}

export function listAccounts(
  api: Api,
  project: string,
  query: AccountQuery,
  signal?: AbortSignal,
): Promise<AccountPage> {
  return api.json(`/api/projects/${encodeURIComponent(project)}/accounts`, { query: { ...query }, signal });
}

/** Accounts that an official request looks at the whole project for; at most 500. */
export async function listLatest(
  api: Api,
  project: string,
  sortBy: 'CREATED_AT' | 'LAST_LOGIN_AT',
  signal?: AbortSignal,
): Promise<readonly Account[]> {
  const body = { sortBy, order: 'DESC', limit: '500' };
  const { userInfo = [] } = await api.json<{ readonly userInfo?: readonly Account[] }>(
    accountsAt(project, ':query'),
    { method: 'POST', body, signal },
  );
  return userInfo;
}

export async function countAccounts(api: Api, project: string): Promise<number> {
  const { recordsCount } = await api.json<{ readonly recordsCount: string }>(accountsAt(project, ':query'), {
    method: 'POST',
    body: { returnUserInfo: false },
  });
  return Number(recordsCount);
}

export async function findAccount(api: Api, project: string, uid: string): Promise<Account | null> {
  const [account] = await lookUp(api, project, { localId: [uid] });
  return account ?? null;
}

/** The account with exactly this number, as E.164 writes it. */
export function findByPhone(api: Api, project: string, phoneNumber: string): Promise<readonly Account[]> {
  return lookUp(api, project, { phoneNumber: [phoneNumber] });
}

async function lookUp(api: Api, project: string, body: object): Promise<readonly Account[]> {
  const { users = [] } = await api.json<{ readonly users?: readonly Account[] }>(
    accountsAt(project, ':lookup'),
    { method: 'POST', body },
  );
  return users;
}

/** Makes an account; resolves to its user id. */
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

/** Signs somebody out everywhere. */
export function endAllSessions(api: Api, project: string, uid: string): Promise<void> {
  return changeAccount(api, project, uid, { validSince: String(Math.floor(Date.now() / 1_000)) });
}

/** Deletes accounts, at most 1,000; those that are not there are no error. */
export async function deleteAccounts(api: Api, project: string, localIds: readonly string[]): Promise<void> {
  await api.send(accountsAt(project, ':batchDelete'), { method: 'POST', body: { localIds, force: true } });
}
