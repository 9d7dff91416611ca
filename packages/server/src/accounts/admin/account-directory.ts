import type { Books, BookView, RowRange } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { accountsBook, findAccount } from '../account-book.ts';
import { decodeAccount } from '../account-record.ts';
import type { JsonObject } from '../fields.ts';
import { userJson } from '../user-json.ts';
import { readInSteps } from './read-in-steps.ts';

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
  /** Accounts that were looked at. */
  readonly looked: number;
}

/** Accounts that one search looks at, which takes some 100 ms in steps that let others in between. */
const MAX_LOOKED = 10_000;

/** The accounts of projects as somebody lists and searches them who does not know their names. */
export class AccountDirectory {
  readonly #books: Books;

  constructor(books: Books) {
    this.#books = books;
  }

  /** A page in the order of one of their names. Accounts that lack it are in no page. */
  list(projectId: string, by: AccountName, { prefix, after, limit }: AccountRange): AccountPage {
    const range: RowRange =
      after === null ? { ...(prefix === '' ? {} : { prefix }), limit } : { after, limit };
    return this.#books.read((view) => {
      const book = view.book(accountsBook(projectId));
      const names = book
        .listKeys([by === 'uid' ? 'accounts' : 'emails'], range)
        .filter((name) => name.startsWith(prefix));
      const accounts = names.flatMap((name) => findByName(book, by, name) ?? []).map(userJson);
      const next = names.length === limit ? (names.at(-1) ?? null) : null;
      return { accounts, next, looked: names.length };
    });
  }

  /**
   * Accounts that have a text somewhere in their user id, address, phone number or name, whatever its case, in the order of
   * their user ids. It ends after so many, or after it has looked at 10,000.
   */
  async search(
    projectId: string,
    text: string,
    { after, limit }: Omit<AccountRange, 'prefix'>,
  ): Promise<AccountPage> {
    const wanted = text.toLowerCase();
    const accounts: JsonObject[] = [];
    let looked = 0;
    const steps = readInSteps(
      this.#books,
      accountsBook(projectId),
      ['accounts'],
      after === null ? {} : { after },
    );
    for await (const rows of steps)
      for (const { key, value } of rows) {
        const account = decodeAccount(key, value);
        looked += 1;
        if (has(account, wanted)) accounts.push(userJson(account));
        if (accounts.length === limit || looked === MAX_LOOKED) return { accounts, next: key, looked };
      }
    return { accounts, next: null, looked };
  }
}

function findByName(book: BookView, by: AccountName, name: string): Account | undefined {
  if (by === 'uid') return findAccount(book, name);
  const uid = book.find(['emails', name]);
  return typeof uid === 'string' ? findAccount(book, uid) : undefined;
}

function has({ uid, email, phoneNumber, displayName }: Account, wanted: string): boolean {
  return [uid, email, phoneNumber, displayName].some((name) => name?.toLowerCase().includes(wanted));
}
