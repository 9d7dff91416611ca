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
  /** With a filter, the number of accounts that the server examined for the page. */
  readonly examined?: number;
}

/** Properties that listed accounts have; see docs/reference/api.md. Times are milliseconds since 1970. */
export interface AccountFilter {
  readonly state?: string;
  readonly provider?: string;
  /** `name` or `name=value`. */
  readonly claim?: string;
  readonly seen?: 'never';
  readonly seenFrom?: number;
  readonly seenTo?: number;
}

export interface AccountQuery extends AccountFilter {
  /** An order, or `any` for accounts with an email, phone number, user ID or word of the name that starts with `prefix`. */
  readonly by: AccountOrder | 'any';
  readonly prefix?: string;
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

/** The accounts of a tenant, or those of a project without a tenant. A string is the ID of a project, and means the latter. */
export type AccountScope = string | { readonly project: string; readonly tenant: string | undefined };

/** Returns the project and the tenant of a scope. */
export function scopeParts(scope: AccountScope): {
  readonly project: string;
  readonly tenant: string | undefined;
} {
  return typeof scope === 'string' ? { project: scope, tenant: undefined } : scope;
}

/** Returns an address of the Auth API below `accounts`. */
export function accountsAt(scope: AccountScope, rest: string): string {
  const { project, tenant } = scopeParts(scope);
  const below = tenant === undefined ? '' : `/tenants/${encodeURIComponent(tenant)}`;
  return `/identitytoolkit.googleapis.com/v1/projects/${encodeURIComponent(project)}${below}/accounts${rest}`;
}

function listAt(scope: AccountScope): string {
  return `/api/projects/${encodeURIComponent(scopeParts(scope).project)}/accounts`;
}

export function listAccounts(
  api: Api,
  scope: AccountScope,
  query: AccountQuery,
  signal?: AbortSignal,
): Promise<AccountPage> {
  return api.json(listAt(scope), { query: { ...query, tenant: scopeParts(scope).tenant }, signal });
}

/** Finds the first accounts whose email, phone number, user ID or a word of the name starts with a text. `limit` is at most 200. */
export async function findAccountsByStart(
  api: Api,
  scope: AccountScope,
  text: string,
  limit: number,
  signal?: AbortSignal,
): Promise<readonly Account[]> {
  const query: AccountQuery = { by: 'any', prefix: text, after: undefined, limit };
  const { accounts } = await listAccounts(api, scope, query, signal);
  return accounts;
}

/**
 * Yields the accounts that match a filter and have a text anywhere in the user ID, email, phone number or name, and the progress. `limit` is
 * at most 1,000.
 */
export function searchAccounts(
  api: Api,
  scope: AccountScope,
  text: string,
  limit: number,
  filter: AccountFilter,
  signal: AbortSignal,
): AsyncGenerator<AccountSearchLine, void, undefined> {
  return api.lines(`${listAt(scope)}/search`, {
    query: { ...filter, text, limit, tenant: scopeParts(scope).tenant },
    signal,
  });
}

export async function countAccounts(api: Api, scope: AccountScope): Promise<number> {
  const { recordsCount } = await api.json<{ readonly recordsCount: string }>(accountsAt(scope, ':query'), {
    method: 'POST',
    body: { returnUserInfo: false },
  });
  return Number(recordsCount);
}

export async function findAccount(api: Api, scope: AccountScope, uid: string): Promise<Account | null> {
  const [account] = await findAccounts(api, scope, [uid]);
  return account ?? null;
}

/** Returns the accounts with these user IDs; those that do not exist are left out. */
export async function findAccounts(
  api: Api,
  scope: AccountScope,
  uids: readonly string[],
): Promise<readonly Account[]> {
  const { users = [] } = await api.json<{ readonly users?: readonly Account[] }>(
    accountsAt(scope, ':lookup'),
    { method: 'POST', body: { localId: uids } },
  );
  return users;
}

/** Creates an account and returns its user ID. */
export async function createAccount(api: Api, scope: AccountScope, account: NewAccount): Promise<string> {
  const { localId } = await api.json<{ readonly localId: string }>(accountsAt(scope, ''), {
    method: 'POST',
    body: account,
  });
  return localId;
}

export async function changeAccount(
  api: Api,
  scope: AccountScope,
  localId: string,
  change: AccountChange,
): Promise<void> {
  await api.send(accountsAt(scope, ':update'), { method: 'POST', body: { localId, ...change } });
}

/** Signs the user out on all devices. */
export function endAllSessions(api: Api, scope: AccountScope, uid: string): Promise<void> {
  return changeAccount(api, scope, uid, { validSince: String(Math.floor(Date.now() / 1_000)) });
}

/** Deletes at most 1,000 accounts; missing accounts are not an error. */
export async function deleteAccounts(
  api: Api,
  scope: AccountScope,
  localIds: readonly string[],
): Promise<void> {
  await api.send(accountsAt(scope, ':batchDelete'), { method: 'POST', body: { localIds, force: true } });
}

/** An account that shares an address or a number with another one. */
export interface Duplicate {
  readonly account: Account;
  readonly shared: readonly { readonly kind: 'email' | 'phone'; readonly text: string }[];
}

export interface Duplicates {
  readonly duplicates: readonly Duplicate[];
  /** Whether all accounts were read. */
  readonly isComplete: boolean;
}

/** A part of the removed account. */
export interface MergedPart {
  readonly kind:
    | 'email'
    | 'password'
    | 'phone'
    | 'name'
    | 'photo'
    | 'provider'
    | 'factor'
    | 'recovery-codes'
    | 'passkey'
    | 'claim';
  /** An address, a number or a name; may be empty. */
  readonly text: string;
}

/** What a merge of the account `from` into the account `into` would do. */
export interface MergePreview {
  readonly into: Account;
  readonly from: Account;
  readonly merged: Account;
  readonly moved: readonly MergedPart[];
  readonly lost: readonly MergedPart[];
  readonly endedSessions: number;
  readonly problem: 'member' | 'unverified-email' | null;
  readonly digest: string;
}

/** The user IDs of the account that remains and of the one that is removed. */
export interface MergedPair {
  readonly into: string;
  readonly from: string;
}

export function findDuplicates(
  api: Api,
  scope: AccountScope,
  uid: string,
  signal: AbortSignal,
): Promise<Duplicates> {
  const query = { uid, tenant: scopeParts(scope).tenant };
  return api.json(`${listAt(scope)}/duplicates`, { query, signal });
}

export function previewMerge(
  api: Api,
  scope: AccountScope,
  pair: MergedPair,
  signal: AbortSignal,
): Promise<MergePreview> {
  const query = { ...pair, tenant: scopeParts(scope).tenant };
  return api.json(`${listAt(scope)}/merge`, { query, signal });
}

/** Merges two accounts, if a preview would still have the digest `expected`. A merge cannot be undone. */
export async function mergeAccounts(
  api: Api,
  scope: AccountScope,
  pair: MergedPair,
  expected: string,
): Promise<void> {
  const { tenant } = scopeParts(scope);
  const body = { ...pair, expected, ...(tenant === undefined ? {} : { tenant }) };
  await api.send(`${listAt(scope)}/merge`, { method: 'POST', body });
}
