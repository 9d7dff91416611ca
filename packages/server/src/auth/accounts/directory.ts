import type { RecordStore, RecordView } from '../../records/store.ts';
import type { NotPromise } from '../../storage/kv/store.ts';
import type { JsonObject } from '../fields.ts';
import type { AccountScope } from '../tenants/scope.ts';
import type { Account } from './account.ts';
import { type AccountFilter, isMatch } from './account-filter.ts';
import {
  type AccountTime,
  findByNameStart,
  listByTime,
  requireIndexed,
  uidOfEntry,
} from './account-index.ts';
import { accountRecords, findAccount, findAccountByEmail, findAccountByPhone } from './account-store.ts';
import { FilteredLists, type FilteredPage, type FilteredRange, type ListOrder } from './filtered-list.ts';
import { userJson } from './user-json.ts';

/** The key by which accounts are listed. */
export type AccountKey = 'uid' | 'email';

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

/** Greatest exact number of passkeys that the console shows. */
const MAX_COUNTED_PASSKEYS = 10_000;

/** Lists and finds the accounts of projects for operators who do not know their user ids. */
export class AccountDirectory {
  readonly #recordStore: RecordStore;
  readonly #filtered: FilteredLists;

  constructor(recordStore: RecordStore) {
    this.#recordStore = recordStore;
    this.#filtered = new FilteredLists(recordStore);
  }

  /** Returns a page of accounts in the order of a key. Accounts without the key are on no page. */
  list(scope: AccountScope, by: AccountKey, { prefix, after, limit }: AccountRange): AccountPage {
    const range = after === null ? { ...(prefix === '' ? {} : { prefix }), limit } : { after, limit };
    return this.#read(scope, (records) => {
      const names = records
        .listKeys([by === 'uid' ? 'accounts' : 'emails'], range)
        .filter((name) => name.startsWith(prefix));
      const find = by === 'uid' ? findAccount : findAccountByEmail;
      const accounts = names.flatMap((name) => find(records, name) ?? []);
      return { accounts: accounts.map((account) => userJson(account, scope)), next: nextOf(names, limit) };
    });
  }

  /**
   * Returns a page of the accounts that were created, or have signed in, most recently. Accounts last seen
   * within the same hour are in order on each page, but not across pages. Throws `request/overload` until the
   * index is complete.
   */
  listLatest(
    scope: AccountScope,
    by: AccountTime,
    { after, limit }: Omit<AccountRange, 'prefix'>,
  ): AccountPage {
    return this.#read(scope, (records) => {
      requireIndexed(records);
      const entries = listByTime(records, by, after, limit);
      const accounts = entries.flatMap((entry) => findAccount(records, uidOfEntry(entry)) ?? []);
      const sorted = by === 'seen' ? accounts.toSorted(byLastLogin) : accounts;
      return { accounts: sorted.map((account) => userJson(account, scope)), next: nextOf(entries, limit) };
    });
  }

  /**
   * Returns up to `limit` accounts with a value that starts with a text: email address, word of the name, phone
   * number or user id, in this order, and that match a filter. Ignores case except for user ids. Searches only indexes.
   */
  findByPrefix(scope: AccountScope, text: string, limit: number, filter: AccountFilter = {}): AccountPage {
    return this.#read(scope, (records) => {
      const found = new Map<string, Account>();
      for (const account of eachByStart(records, text, limit)) {
        if (account !== undefined && isMatch(account, filter)) found.set(account.uid, account);
        if (found.size === limit) break;
      }
      return { accounts: [...found.values()].map((account) => userJson(account, scope)), next: null };
    });
  }

  /** Counts the passkeys of all accounts, up to `MAX_COUNTED_PASSKEYS`. The count is a lower bound if it is not exact. */
  countPasskeys(scope: AccountScope): { readonly count: number; readonly isExact: boolean } {
    return this.#read(scope, (records) => {
      const found = records.listKeys(['passkeys'], { limit: MAX_COUNTED_PASSKEYS + 1 }).length;
      return { count: Math.min(found, MAX_COUNTED_PASSKEYS), isExact: found <= MAX_COUNTED_PASSKEYS };
    });
  }

  /** Returns a page of the accounts that match a filter; see `FilteredLists`. */
  listFiltered(
    scope: AccountScope,
    by: ListOrder,
    range: FilteredRange,
    filter: AccountFilter,
  ): Promise<FilteredPage> {
    return this.#filtered.list(scope, by, range, filter);
  }

  #read<T>(scope: AccountScope, read: (records: RecordView) => NotPromise<T>): T {
    return this.#recordStore.read((view) => read(view.records(accountRecords(scope))));
  }
}

function nextOf(names: readonly string[], limit: number): string | null {
  return names.length === limit ? (names.at(-1) ?? null) : null;
}

function byLastLogin(a: Account, b: Account): number {
  return (b.lastLoginAtMs ?? 0) - (a.lastLoginAtMs ?? 0);
}

/**
 * Yields the accounts of each kind of value, exact matches before values that only start with the text. Yields
 * `undefined` for an exact match that does not exist.
 */
function* eachByStart(records: RecordView, text: string, limit: number): Generator<Account | undefined> {
  const email = text.toLowerCase();
  yield findAccountByEmail(records, email);
  for (const address of records.listKeys(['emails'], { prefix: email, limit }))
    yield findAccountByEmail(records, address);
  for (const uid of findByNameStart(records, text, limit)) yield findAccount(records, uid);
  const phone = phoneStart(text);
  if (phone !== undefined) {
    yield findAccountByPhone(records, phone);
    for (const number of records.listKeys(['phones'], { prefix: phone, limit }))
      yield findAccountByPhone(records, number);
  }
  yield findAccount(records, text);
  for (const uid of records.listKeys(['accounts'], { prefix: text, limit })) yield findAccount(records, uid);
  for (const uid of listNumbers(records, text, limit)) yield findAccount(records, uid);
}

/**
 * Returns user ids that consist of digits and start with `digits`. Such ids sort by value and apart from other
 * ids: for 12 these are 12, then 120 to 129, and so on; for 0012 they are 0012, then 00120 to 00129.
 */
function listNumbers(records: RecordView, digits: string, limit: number): readonly string[] {
  if (!/^\d+$/.test(digits)) return [];
  const starts: string[] = [];
  for (let start = digits; start.length <= MAX_DIGITS && Number(start) <= MAX_NUMBER; start += '0')
    starts.push(start);
  return starts.flatMap((from) =>
    records.listKeys(['accounts'], { from, limit }).filter((uid) => uid.startsWith(digits)),
  );
}

/** Returns the text as the start of an E.164 number, or `undefined` if no number can start with it. */
function phoneStart(text: string): string | undefined {
  const digits = /^\+?(?<digits>\d{2,15})$/.exec(text.replace(/[\s().-]/g, ''))?.groups?.['digits'];
  return digits === undefined ? undefined : `+${digits}`;
}
