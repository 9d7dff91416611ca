import type { RecordPath, RecordTransaction, RecordView } from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { passkeyKey } from '../passkeys/passkey.ts';
import { memoizeByObject, requireRecord } from '../stored-record.ts';
import { type AccountScope, nameOfScope, scopeOfName } from '../tenants/scope.ts';
import { type Account, decodeAccount, encodeAccount } from './account.ts';
import { saveIndex } from './account-index.ts';

const KIND = 'revoked';

/**
 * Notifies subscribers of the records that the tokens of an account have been revoked. Stores nothing: writing
 * `null` notifies them even if there was no value.
 */
function signalRevocation(records: RecordTransaction, uid: string): void {
  records.write([KIND, uid], null);
}

/** Returns the uid of the account whose tokens a write at a path revokes. */
export function findRevoked([kind, uid]: RecordPath): string | undefined {
  return kind === KIND ? uid : undefined;
}

/**
 * Returns the name of the record store that holds the accounts of a scope. No two scopes share one.
 *
 * | path                               | record                                                    |
 * |------------------------------------|-----------------------------------------------------------|
 * | accounts / uid                     | the account: `account.ts`                                 |
 * | emails / address                   | uid of the account that has the address                   |
 * | phones / number                    | uid of the account that has the number                    |
 * | identities / provider / raw id     | uid of the account that has the identity                  |
 * | passkeys / hash of credential id   | uid of the account that has the passkey                   |
 * | passkeyUsed / time and hash        | `true`: a used challenge: `passkeys/challenge.ts`         |
 * | handovers / time and hash          | a token for the SDK: `sign-in/handover.ts`                |
 * | names, created, seen / …           | `true`, an index entry: `account-index.ts`                |
 * | indexed, count                     | state of the index, and number of accounts: `account-index.ts` |
 * | sessions / id                      | `sign-in/session.ts`                                      |
 * | sessionsOf / uid / id              | start of the session, in ms                               |
 * | codes / hash                       | an email code with its purpose: `codes/code.ts`           |
 * | codesOf / owner / purpose          | hash of the code that is valid for the purpose            |
 * | codesUntil / time and hash         | hash of a code that is valid until the time               |
 * | pretendedAtMs                      | time at which the server last pretended to issue a code   |
 * | phoneCodes / hash                  | a code from a text message: `phone/phone-code.ts`         |
 * | phoneGroups / hash                 | count of wrong codes that several codes share             |
 * | phoneGuesses / hash                | recent wrong codes of a number                            |
 * | phoneProofs / hash                 | proof of a number that another account has                |
 * | phoneUntil / time, kind and hash   | one of these records that is valid until the time         |
 * | usedAssertions / id                | `true`: a pending token that was used: `providers/pending-assertion.ts` |
 * | usedAssertionsUntil / time and id  | id of such a token that would be valid until the time     |
 * | pending / time and hash            | uid of a sign-in that waits for its second factor         |
 * | challenges / uid / open / time and hash | the sign-in that waits: `mfa/pending-sign-in.ts`     |
 * | challenges / uid / tries           | number of recent attempts: `mfa/attempts.ts`                  |
 * | revoked / uid                      | always empty: written to notify subscribers of revoked tokens |
 */
export function accountRecords(scope: AccountScope): string {
  return `${ACCOUNTS}${nameOfScope(scope)}`;
}

const ACCOUNTS = 'accounts:';

/** Returns the scope whose accounts a record store holds, or `undefined` for other record stores. */
export function scopeOfRecords(records: string): AccountScope | undefined {
  return records.startsWith(ACCOUNTS) ? scopeOfName(records.slice(ACCOUNTS.length)) : undefined;
}

const accountOf = memoizeByObject((record: JsonObject, uid: string) => decodeAccount(uid, record));

export function findAccount(records: RecordView, uid: string): Account | undefined {
  if (uid === '') return undefined;
  const json = records.find(['accounts', uid]);
  return json === undefined ? undefined : accountOf(requireRecord(json), uid);
}

export function findAccountByEmail(records: RecordView, email: string): Account | undefined {
  return findOwner(records, ['emails', email]);
}

export function findAccountByPhone(records: RecordView, phoneNumber: string): Account | undefined {
  return findOwner(records, ['phones', phoneNumber]);
}

export function findAccountByIdentity(
  records: RecordView,
  providerId: string,
  rawId: string,
): Account | undefined {
  return findOwner(records, ['identities', providerId, rawId]);
}

export function findAccountByPasskey(records: RecordView, credentialId: string): Account | undefined {
  return findOwner(records, ['passkeys', passkeyKey(credentialId)]);
}

/** Returns accounts that have an identity of the provider, at most `limit`, in the order of their ids at the provider. */
export function listAccountsOfProvider(
  records: RecordView,
  providerId: string,
  limit: number,
): readonly Account[] {
  return records
    .list(['identities', providerId], { limit })
    .flatMap(({ value }) => (typeof value === 'string' ? (findAccount(records, value) ?? []) : []));
}

function findOwner(records: RecordView, location: readonly string[]): Account | undefined {
  const uid = records.find(location);
  return typeof uid === 'string' ? findAccount(records, uid) : undefined;
}

/**
 * Saves an account and the entries by which it is found. Throws `EMAIL_EXISTS`, `PHONE_NUMBER_EXISTS` or
 * `FEDERATED_USER_ID_ALREADY_LINKED` if another account has the address, number or identity, and
 * `CREDENTIAL_ALREADY_IN_USE` if any account has a new passkey. `before` is the account as the transaction found it.
 */
export function saveAccount(records: RecordTransaction, before: Account | undefined, after: Account): void {
  if (before === undefined || !hasSameIdentifiers(before, after)) saveIdentifiers(records, before, after);
  saveIndex(records, before, after);
  records.write(['accounts', after.uid], encodeAccount(after));
  if (before !== undefined && revokesTokens(before, after)) signalRevocation(records, after.uid);
}

function saveIdentifiers(records: RecordTransaction, before: Account | undefined, after: Account): void {
  replaceOwner(records, after.uid, emailPaths(before), emailPaths(after), 'EMAIL_EXISTS');
  replaceOwner(records, after.uid, phonePaths(before), phonePaths(after), 'PHONE_NUMBER_EXISTS');
  replaceOwner(
    records,
    after.uid,
    identityPaths(before),
    identityPaths(after),
    'FEDERATED_USER_ID_ALREADY_LINKED',
  );
  replaceOwner(records, after.uid, passkeyPaths(before), passkeyPaths(after), 'CREDENTIAL_ALREADY_IN_USE');
}

/**
 * Returns whether both have the same email address, phone number, identities and passkeys. Most changes, such as those
 * of every sign-in, do not affect them, so their entries need not be read.
 */
function hasSameIdentifiers(before: Account, after: Account): boolean {
  return (
    before.email === after.email &&
    before.phoneNumber === after.phoneNumber &&
    before.identities === after.identities &&
    before.passkeys === after.passkeys
  );
}

function revokesTokens(before: Account, after: Account): boolean {
  return after.validSinceSec > before.validSinceSec || (after.isDisabled && !before.isDisabled);
}

/** Removes an account and the entries by which it is found. `endSessions` removes its sessions. */
export function removeAccount(records: RecordTransaction, account: Account): void {
  for (const location of identifierPaths(account)) records.write(location, null);
  saveIndex(records, account, undefined);
  records.write(['accounts', account.uid], null);
  signalRevocation(records, account.uid);
}

/**
 * Saves `after` in place of `before`, and removes `removed`, of which `after` may have taken over addresses, numbers and
 * other identifiers. All three are as a merge planned them from the accounts that the transaction found.
 */
export function saveMergedAccount(
  records: RecordTransaction,
  {
    before,
    removed,
    after,
  }: { readonly before: Account; readonly removed: Account; readonly after: Account },
): void {
  const free = new Map(
    [before, removed].flatMap(identifierPaths).map((path) => [JSON.stringify(path), path]),
  );
  for (const path of identifierPaths(after)) {
    // A read would return the owner from before the transaction.
    if (!free.delete(JSON.stringify(path))) throw new Error('Bug: a merged account has a new identifier.');
    records.write(path, after.uid);
  }
  for (const path of free.values()) records.write(path, null);
  saveIndex(records, removed, undefined);
  saveIndex(records, before, after);
  records.write(['accounts', removed.uid], null);
  records.write(['accounts', after.uid], encodeAccount(after));
  signalRevocation(records, removed.uid);
  if (revokesTokens(before, after)) signalRevocation(records, after.uid);
}

type RecordPaths = readonly (readonly string[])[];

function identifierPaths(account: Account): RecordPaths {
  return [
    ...emailPaths(account),
    ...phonePaths(account),
    ...identityPaths(account),
    ...passkeyPaths(account),
  ];
}

function emailPaths(account: Account | undefined): RecordPaths {
  return account?.email === null || account === undefined ? [] : [['emails', account.email]];
}

function phonePaths(account: Account | undefined): RecordPaths {
  return account?.phoneNumber === null || account === undefined ? [] : [['phones', account.phoneNumber]];
}

function identityPaths(account: Account | undefined): RecordPaths {
  return (account?.identities ?? []).map(({ providerId, rawId }) => ['identities', providerId, rawId]);
}

function passkeyPaths(account: Account | undefined): RecordPaths {
  return (account?.passkeys ?? []).map(({ credentialId }) => ['passkeys', passkeyKey(credentialId)]);
}

type Taken =
  | 'EMAIL_EXISTS'
  | 'PHONE_NUMBER_EXISTS'
  | 'FEDERATED_USER_ID_ALREADY_LINKED'
  | 'CREDENTIAL_ALREADY_IN_USE';

function replaceOwner(
  records: RecordTransaction,
  uid: string,
  before: RecordPaths,
  after: RecordPaths,
  taken: Taken,
): void {
  const had = new Map(before.map((location) => [JSON.stringify(location), location]));
  for (const location of after) {
    if (had.delete(JSON.stringify(location))) continue;
    const owner = records.find(location);
    if (owner === uid) continue;
    if (owner !== undefined) throw new AuthApiError(taken);
    records.write(location, uid);
  }
  for (const location of had.values()) records.write(location, null);
}
