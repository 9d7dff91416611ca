import type { BookTurn, BookView } from '../books/books.ts';
import type { Account } from './account.ts';
import { saveIndex } from './account-index.ts';
import { decodeAccount, encodeAccount } from './account-record.ts';
import type { JsonObject } from './fields.ts';
import { IdentityError } from './identity-error.ts';
import { onceForEach } from './once-for-each.ts';
import { signalRevocation } from './revocation-signal.ts';
import { mustBeRecord } from './stored-record.ts';

/**
 * The book of a project's accounts.
 *
 * | place                              | record                                             |
 * |------------------------------------|----------------------------------------------------|
 * | accounts / uid                     | the account: `account-record.ts`                   |
 * | emails / address                   | the uid of who has it                              |
 * | phones / number                    | the same                                           |
 * | identities / provider / raw id     | the same                                           |
 * | names, created, seen / …           | nothing but that it is there: `account-index.ts`   |
 * | indexed, count                     | how far those are there, how many accounts there are: `account-index-state.ts` |
 * | sessions / id                      | `session-record.ts`                                |
 * | sessionsOf / uid / id              | when the session began, in ms                      |
 * | codes / hash                       | what a mail lets its reader do: `codes/code-record.ts` |
 * | codesOf / whose / what for         | the hash of the one that works                     |
 * | codesUntil / time and hash         | the hash of one that works until then              |
 * | pretendedAtMs                      | when a code was not handed out, and nobody told    |
 * | pending / time and hash            | the uid of whose sign-in lacks its second proof    |
 * | challenges / uid / open / the same | that sign-in: `second-factor/pending-sign-in.ts`   |
 * | challenges / uid / tries           | how many lately: `second-factor/factor-tries.ts`   |
 * | revoked / uid                      | nothing, ever: `revocation-signal.ts`              |
 */
export function accountsBook(projectId: string): string {
  return `${ACCOUNTS}${projectId}`;
}

const ACCOUNTS = 'accounts:';

/** The project whose accounts are in a book; `undefined` for other books. */
export function projectOfBook(book: string): string | undefined {
  return book.startsWith(ACCOUNTS) ? book.slice(ACCOUNTS.length) : undefined;
}

const accountOf = onceForEach((record: JsonObject, uid: string) => decodeAccount(uid, record));

export function findAccount(book: BookView, uid: string): Account | undefined {
  if (uid === '') return undefined;
  const json = book.find(['accounts', uid]);
  return json === undefined ? undefined : accountOf(mustBeRecord(json), uid);
}

export function findAccountByEmail(book: BookView, email: string): Account | undefined {
  return findOwner(book, ['emails', email]);
}

export function findAccountByPhone(book: BookView, phoneNumber: string): Account | undefined {
  return findOwner(book, ['phones', phoneNumber]);
}

export function findAccountByIdentity(
  book: BookView,
  providerId: string,
  rawId: string,
): Account | undefined {
  return findOwner(book, ['identities', providerId, rawId]);
}

function findOwner(book: BookView, place: readonly string[]): Account | undefined {
  const uid = book.find(place);
  return typeof uid === 'string' ? findAccount(book, uid) : undefined;
}

/**
 * Keeps an account and what it is found by. Refuses with `EMAIL_EXISTS`, `PHONE_NUMBER_EXISTS` and
 * `FEDERATED_USER_ID_ALREADY_LINKED` what another account has. `before` is the account as the change found it.
 */
export function saveAccount(book: BookTurn, before: Account | undefined, after: Account): void {
  if (before === undefined || !isNamedAlike(before, after)) saveNames(book, before, after);
  saveIndex(book, before, after);
  book.write(['accounts', after.uid], encodeAccount(after));
  if (before !== undefined && revokesTokens(before, after)) signalRevocation(book, after.uid);
}

function saveNames(book: BookTurn, before: Account | undefined, after: Account): void {
  replaceOwner(book, after.uid, emailPlaces(before), emailPlaces(after), 'EMAIL_EXISTS');
  replaceOwner(book, after.uid, phonePlaces(before), phonePlaces(after), 'PHONE_NUMBER_EXISTS');
  replaceOwner(
    book,
    after.uid,
    identityPlaces(before),
    identityPlaces(after),
    'FEDERATED_USER_ID_ALREADY_LINKED',
  );
}

/** As after most changes, such as every sign-in: nothing has to be looked up then. */
function isNamedAlike(before: Account, after: Account): boolean {
  return (
    before.email === after.email &&
    before.phoneNumber === after.phoneNumber &&
    before.identities === after.identities
  );
}

function revokesTokens(before: Account, after: Account): boolean {
  return after.validSinceSec > before.validSinceSec || (after.isDisabled && !before.isDisabled);
}

/** Removes an account and what it is found by; its sessions are removed by `endSessions`. */
export function removeAccount(book: BookTurn, account: Account): void {
  for (const place of [...emailPlaces(account), ...phonePlaces(account), ...identityPlaces(account)])
    book.write(place, null);
  saveIndex(book, account, undefined);
  book.write(['accounts', account.uid], null);
  signalRevocation(book, account.uid);
}

type Places = readonly (readonly string[])[];

function emailPlaces(account: Account | undefined): Places {
  return account?.email === null || account === undefined ? [] : [['emails', account.email]];
}

function phonePlaces(account: Account | undefined): Places {
  return account?.phoneNumber === null || account === undefined ? [] : [['phones', account.phoneNumber]];
}

function identityPlaces(account: Account | undefined): Places {
  return (account?.identities ?? []).map(({ providerId, rawId }) => ['identities', providerId, rawId]);
}

type Taken = 'EMAIL_EXISTS' | 'PHONE_NUMBER_EXISTS' | 'FEDERATED_USER_ID_ALREADY_LINKED';

function replaceOwner(book: BookTurn, uid: string, before: Places, after: Places, taken: Taken): void {
  const had = new Map(before.map((place) => [JSON.stringify(place), place]));
  for (const place of after) {
    if (had.delete(JSON.stringify(place))) continue;
    const owner = book.find(place);
    if (owner === uid) continue;
    if (owner !== undefined) throw new IdentityError(taken);
    book.write(place, uid);
  }
  for (const place of had.values()) book.write(place, null);
}
