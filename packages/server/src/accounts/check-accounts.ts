import type { BookRow, BookView, Place } from '../books/books.ts';
import { decodeAccount } from './account-record.ts';
import { isJsonObject } from './fields.ts';

/** What looking through the book of a project's accounts came to. */
export interface AccountsCheck {
  readonly accounts: number;
  readonly sessions: number;
  /** Sentences without a full stop, the first few. */
  readonly problems: readonly string[];
}

const PAGE = 500;
const MAX_PROBLEMS = 20;

/**
 * Compares accounts with what they are found by, and sessions with their accounts, both ways. Memory is bounded; yields
 * after each page.
 */
export function* checkAccounts(book: BookView): Generator<void, AccountsCheck> {
  const problems: string[] = [];
  const note = (problem: string): void => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  };
  let accounts = 0;
  for (const { key: uid, value } of rowsOf(book, ['accounts'])) {
    accounts += 1;
    const account = decodeAccount(uid, value);
    const places: readonly (readonly [Place, string])[] = [
      ...(account.email === null ? [] : [[['emails', account.email], 'address'] as const]),
      ...(account.phoneNumber === null ? [] : [[['phones', account.phoneNumber], 'number'] as const]),
      ...account.identities.map(
        ({ providerId, rawId }) => [['identities', providerId, rawId], 'identity'] as const,
      ),
    ];
    for (const [place, what] of places)
      if (book.find(place) !== uid) note(`the account ${uid} is not found by its ${what}`);
    if (accounts % PAGE === 0) yield;
  }
  for (const kind of ['emails', 'phones']) {
    for (const { key, value } of rowsOf(book, [kind]))
      if (memberOf(book, value)[kind === 'emails' ? 'email' : 'phoneNumber'] !== key)
        note(`something in ${kind} leads to an account that does not have it`);
    yield;
  }
  let sessions = 0;
  for (const { key, value } of rowsOf(book, ['sessions'])) {
    sessions += 1;
    const uid = isJsonObject(value) ? value['uid'] : undefined;
    if (typeof uid !== 'string' || book.find(['accounts', uid]) === undefined)
      note('a session belongs to no account');
    else if (book.find(['sessionsOf', uid, key]) === undefined)
      note(`a session of the account ${uid} is not on its list`);
    if (sessions % PAGE === 0) yield;
  }
  return { accounts, sessions, problems };
}

function memberOf(book: BookView, uid: unknown): Readonly<Record<string, unknown>> {
  const account = typeof uid === 'string' && uid !== '' ? book.find(['accounts', uid]) : undefined;
  return isJsonObject(account) ? account : {};
}

/** All children of a place, a page at a time. */
function* rowsOf(book: BookView, place: Place): Generator<BookRow> {
  let after: string | undefined;
  for (;;) {
    const rows = book.list(place, after === undefined ? { limit: PAGE } : { after, limit: PAGE });
    yield* rows;
    after = rows.at(-1)?.key;
    if (rows.length < PAGE || after === undefined) return;
  }
}
