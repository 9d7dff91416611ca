import type { RecordStore, RecordView } from '../../records/store.ts';
import type { NotPromise } from '../../storage/kv/store.ts';
import type { JsonObject } from '../fields.ts';
import type { AccountScope } from '../tenants/scope.ts';
import type { Account } from './account.ts';
import type { AccountFilter } from './account-filter.ts';
import { type AccountTime, listByTime, requireIndexed, uidOfEntry } from './account-index.ts';
import { accountRecords, findAccount, findAccountByEmail } from './account-store.ts';
import {
  FilteredLists,
  type FilteredPage,
  type FilteredRange,
  type ListOrder,
} from './lists/filtered-list.ts';
import { ListSteps } from './lists/list-steps.ts';
import { PrefixLists, type PrefixRange } from './lists/prefix-list.ts';
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

/** Greatest exact number of passkeys that the console shows. */
const MAX_COUNTED_PASSKEYS = 10_000;

/** Lists and finds the accounts of projects for operators who do not know their user ids. */
export class AccountDirectory {
  readonly #recordStore: RecordStore;
  readonly #filtered: FilteredLists;
  readonly #prefixed: PrefixLists;

  constructor(recordStore: RecordStore) {
    this.#recordStore = recordStore;
    const steps = new ListSteps();
    this.#filtered = new FilteredLists(recordStore, steps);
    this.#prefixed = new PrefixLists(recordStore, steps);
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

  /** Returns a page of the accounts with a value that starts with a text and that match a filter; see `PrefixLists`. */
  listByPrefix(scope: AccountScope, range: PrefixRange, filter: AccountFilter): Promise<FilteredPage> {
    return this.#prefixed.list(scope, range, filter);
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
