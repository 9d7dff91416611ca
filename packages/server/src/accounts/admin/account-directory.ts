import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Books, BookView } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { accountsBook, findAccount, findAccountByEmail, findAccountByPhone } from '../account-book.ts';
import {
  type AccountTime,
  findByNameStart,
  listByTime,
  readIndexState,
  uidOfEntry,
} from '../account-index.ts';
import type { JsonObject } from '../fields.ts';
import { userJson } from '../user-json.ts';
import { type AccountSearch, searchAccounts } from './search-accounts.ts';

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

/** Searches through all accounts that are under way at a time. */
const MAX_SEARCHES = 4;

/** The accounts of projects as somebody lists and searches them who does not know their names. */
export class AccountDirectory {
  readonly #books: Books;
  #searches = 0;

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
      return pageOf(names, limit, (name) => find(book, name));
    });
  }

  /**
   * A page of those that were made, or have signed in, most lately. Refuses with `request/overload` as long as accounts from
   * before there was an index are not in it.
   */
  listLatest(
    projectId: string,
    by: AccountTime,
    { after, limit }: Omit<AccountRange, 'prefix'>,
  ): AccountPage {
    return this.#read(projectId, (book) => {
      mustBeIndexed(book);
      return pageOf(listByTime(book, by, after, limit), limit, (entry) =>
        findAccount(book, uidOfEntry(entry)),
      );
    });
  }

  /**
   * Some accounts that a text is the beginning of something of: address, a word in the name, phone number or user id, in this
   * order, and whatever its case but that of the user id. Looks at indexes alone.
   */
  findByStart(projectId: string, text: string, limit: number): AccountPage {
    return this.#read(projectId, (book) => {
      const email = text.toLowerCase();
      const phone = phoneStart(text);
      const accounts = [
        findAccountByEmail(book, email),
        ...book.listKeys(['emails'], { prefix: email, limit }).map((name) => findAccountByEmail(book, name)),
        ...findByNameStart(book, text, limit).map((uid) => findAccount(book, uid)),
        ...(phone === undefined ? [] : findByPhoneStart(book, phone, limit)),
        findAccount(book, text),
        ...book.listKeys(['accounts'], { prefix: text, limit }).map((uid) => findAccount(book, uid)),
      ].filter((account) => account !== undefined);
      const found = new Map(accounts.map((account) => [account.uid, account]));
      return { accounts: [...found.values()].slice(0, limit).map(userJson), next: null };
    });
  }

  /** `searchAccounts`, which must be read to its end or returned. Refuses with `request/overload` one that is one too many. */
  search(search: AccountSearch): AsyncGenerator<Buffer, void, undefined> {
    if (this.#searches >= MAX_SEARCHES)
      throw new Refusal(
        'request/overload',
        `${MAX_SEARCHES} searches are under way: wait until one has ended.`,
      );
    return this.#counted(searchAccounts(this.#books, search));
  }

  /** What is never asked for anything is never counted. */
  async *#counted(lines: AsyncGenerator<Buffer, void, undefined>): AsyncGenerator<Buffer, void, undefined> {
    this.#searches += 1;
    try {
      yield* lines;
    } finally {
      this.#searches -= 1;
    }
  }

  #read<T>(projectId: string, look: (book: BookView) => T): T {
    return this.#books.read((view) => look(view.book(accountsBook(projectId))));
  }
}

function mustBeIndexed(book: BookView): void {
  if (readIndexState(book).kind === 'complete') return;
  if (book.listKeys(['accounts'], { limit: 1 }).length === 0) return;
  throw new Refusal(
    'request/overload',
    'The accounts are being indexed, which is done once: try again in some minutes. They can be listed by user id or address meanwhile.',
  );
}

function pageOf(
  names: readonly string[],
  limit: number,
  find: (name: string) => Account | undefined,
): AccountPage {
  const accounts = names.flatMap((name) => find(name) ?? []).map(userJson);
  return { accounts, next: names.length === limit ? (names.at(-1) ?? null) : null };
}

function findByPhoneStart(book: BookView, phone: string, limit: number): readonly (Account | undefined)[] {
  return [phone, ...book.listKeys(['phones'], { prefix: phone, limit })].map((number) =>
    findAccountByPhone(book, number),
  );
}

/** As E.164 begins; `undefined` for what no number begins with. */
function phoneStart(text: string): string | undefined {
  const digits = /^\+?(?<digits>\d{2,15})$/.exec(text.replace(/[\s().-]/g, ''))?.groups?.['digits'];
  return digits === undefined ? undefined : `+${digits}`;
}
