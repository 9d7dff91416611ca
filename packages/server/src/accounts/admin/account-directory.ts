import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Books, BookView } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { accountsBook, findAccount, findAccountByEmail, findAccountByPhone } from '../account-book.ts';
import { type AccountTime, findByNameStart, listByTime, uidOfEntry } from '../account-index.ts';
import { isIndexed } from '../account-index-state.ts';
import type { JsonObject } from '../fields.ts';
import { userJson } from '../user-json.ts';

/** By which of their names accounts are listed. */
export type AccountName = 'uid' | 'email';

/** Which accounts follow. */
export interface AccountRange {
  /** Names begin with it; all do with an empty text. */
  readonly prefix: string;
  /** Names come after it; `null` from the first. */
  readonly after: string | null;
  readonly limit: number;
}

export interface AccountPage {
  /** As the official interface shows them. */
  readonly accounts: readonly JsonObject[];
  /** Ask with it as `after` for those that follow; `null` after the last. */
  readonly next: string | null;
}

/** Greater ones are text among keys. */
const MAX_NUMBER = 2 ** 31 - 1;
/** Numbers that are longer, by zeros before them, are found by the whole of them alone. */
const MAX_DIGITS = 20;

/** The accounts of projects as somebody lists and finds them who does not know their names. */
export class AccountDirectory {
  readonly #books: Books;

  constructor(books: Books) {
    this.#books = books;
  }

  /** A page in the order of one of their names. Accounts that lack it are in no page. */
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
   * A page of those that were made, or have signed in, most lately. Those that were seen in one hour are in order on each page,
   * and not from one page to the next. Refuses with `request/overload` as long as accounts from before there was an index are
   * not in it.
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
   * Some accounts that a text is the beginning of something of: address, a word in the name, phone number or user id, in this
   * order, and whatever its case but that of the user id. Looks at indexes alone.
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

/** What is exactly the text is told before what only begins with it. */
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
 * User ids that are whole numbers, which sort by their values and apart from others: 12, then 120 to 129, and so on, and
 * alike for 0012.
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

/** As E.164 begins; `undefined` for what no number begins with. */
function phoneStart(text: string): string | undefined {
  const digits = /^\+?(?<digits>\d{2,15})$/.exec(text.replace(/[\s().-]/g, ''))?.groups?.['digits'];
  return digits === undefined ? undefined : `+${digits}`;
}
