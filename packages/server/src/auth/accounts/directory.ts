import { Refusal } from '@hearth/core/error/request-error.ts';
import type { Books, BookView } from '../../records/store.ts';
import type { JsonObject } from '../fields.ts';
import type { Account } from './account.ts';
import { type AccountTime, findByNameStart, isIndexed, listByTime, uidOfEntry } from './account-index.ts';
import { accountsBook, findAccount, findAccountByEmail, findAccountByPhone } from './account-store.ts';
import { userJson } from './user-json.ts';

/** The key by which accounts are listed. */
export type AccountName = 'uid' | 'email';

/** The part of the list that a page shows. */
export interface AccountRange {
  /** The keys start with this text. An empty text matches all keys. */
  readonly prefix: string;
  /** The keys come after this one; `null` starts at the first. */
  readonly after: string | null;
  readonly limit: number;
}

export interface AccountPage {
  /** In the format of the official API. */
  readonly accounts: readonly JsonObject[];
  /** The value of `after` for the next page; `null` on the last page. */
  readonly next: string | null;
}

/** Greatest number that sorts as a number among keys. Greater numbers sort as text. */
const MAX_NUMBER = 2 ** 31 - 1;
/**
 * Longest user id, in digits, that a search by prefix finds. An id that is longer because of leading zeros is
 * found only by the complete id.
 */
const MAX_DIGITS = 20;

/** Lists and finds the accounts of projects for operators who do not know their user ids. */
export class AccountDirectory {
  readonly #books: Books;

  constructor(books: Books) {
    this.#books = books;
  }

  /** Returns a page of accounts in the order of a key. Accounts without the key are on no page. */
  list(projectId: string, by: AccountName, { prefix, after, limit }: AccountRange): AccountPage {
    const range = after === null ? { ...(prefix === '' ? {} : { prefix }), limit } : { after, limit };
    return this.#read(projectId, (book) => {
      const names = book
        .listKeys([by === 'uid' ? 'accounts' : 'emails'], range)
        .filter((name) => name.startsWith(prefix));
      const find = by === 'uid' ? findAccount : findAccountByEmail;
      const accounts = names.flatMap((name) => find(book, name) ?? []);
      return { accounts: accounts.map(userJson), next: nextOf(names, limit) };
    });
  }

  /**
   * Returns a page of the accounts that were created, or have signed in, most recently. Accounts last seen
   * within the same hour are in order on each page, but not across pages. Throws `request/overload` until all
   * accounts from before the index existed are in it.
   */
  listLatest(
    projectId: string,
    by: AccountTime,
    { after, limit }: Omit<AccountRange, 'prefix'>,
  ): AccountPage {
    return this.#read(projectId, (book) => {
      mustBeIndexed(book);
      const entries = listByTime(book, by, after, limit);
      const accounts = entries.flatMap((entry) => findAccount(book, uidOfEntry(entry)) ?? []);
      const sorted = by === 'seen' ? accounts.toSorted(byLastLogin) : accounts;
      return { accounts: sorted.map(userJson), next: nextOf(entries, limit) };
    });
  }

  /**
   * Returns some accounts in which a value starts with a text: email address, word of the name, phone number or
   * user id, in this order. Ignores case except for user ids. Reads only indexes.
   */
  findByStart(projectId: string, text: string, limit: number): AccountPage {
    return this.#read(projectId, (book) => {
      const found = new Map<string, Account>();
      for (const account of eachByStart(book, text, limit)) {
        if (account !== undefined) found.set(account.uid, account);
        if (found.size === limit) break;
      }
      return { accounts: [...found.values()].map(userJson), next: null };
    });
  }

  #read<T>(projectId: string, look: (book: BookView) => T): T {
    return this.#books.read((view) => look(view.book(accountsBook(projectId))));
  }
}

function mustBeIndexed(book: BookView): void {
  if (isIndexed(book)) return;
  throw new Refusal(
    'request/overload',
    'The accounts are being indexed, which is done once: try again in some minutes. They can be listed by user id or address meanwhile.',
  );
}

function nextOf(names: readonly string[], limit: number): string | null {
  return names.length === limit ? (names.at(-1) ?? null) : null;
}

function byLastLogin(a: Account, b: Account): number {
  return (b.lastLoginAtMs ?? 0) - (a.lastLoginAtMs ?? 0);
}

/** Yields exact matches before values that only start with the text. */
function* eachByStart(book: BookView, text: string, limit: number): Generator<Account | undefined> {
  const email = text.toLowerCase();
  yield findAccountByEmail(book, email);
  for (const address of book.listKeys(['emails'], { prefix: email, limit }))
    yield findAccountByEmail(book, address);
  for (const uid of findByNameStart(book, text, limit)) yield findAccount(book, uid);
  const phone = phoneStart(text);
  if (phone !== undefined) {
    yield findAccountByPhone(book, phone);
    for (const number of book.listKeys(['phones'], { prefix: phone, limit }))
      yield findAccountByPhone(book, number);
  }
  yield findAccount(book, text);
  for (const uid of book.listKeys(['accounts'], { prefix: text, limit })) yield findAccount(book, uid);
  for (const uid of listNumbers(book, text, limit)) yield findAccount(book, uid);
}

/**
 * Returns user ids that are whole numbers and start with the digits. Such ids sort by value and apart from
 * other ids: for 12 these are 12, then 120 to 129, and so on. The same holds for 0012.
 */
function listNumbers(book: BookView, digits: string, limit: number): readonly string[] {
  if (!/^\d+$/.test(digits)) return [];
  const starts: string[] = [];
  for (let start = digits; start.length <= MAX_DIGITS && Number(start) <= MAX_NUMBER; start += '0')
    starts.push(start);
  return starts.flatMap((from) =>
    book.listKeys(['accounts'], { from, limit }).filter((uid) => uid.startsWith(digits)),
  );
}

/** Returns the text as the start of an E.164 number, or `undefined` if no number can start with it. */
function phoneStart(text: string): string | undefined {
  const digits = /^\+?(?<digits>\d{2,15})$/.exec(text.replace(/[\s().-]/g, ''))?.groups?.['digits'];
  return digits === undefined ? undefined : `+${digits}`;
}
