import type { RecordStore, RecordView } from '../../../records/store.ts';
import type { JsonObject } from '../../fields.ts';
import type { AccountScope } from '../../tenants/scope.ts';
import type { Account } from '../account.ts';
import { type AccountFilter, isMatch } from '../account-filter.ts';
import { type AccountTime, listByTime, requireIndexed, seenBounds, uidOfEntry } from '../account-index.ts';
import { accountRecords, findAccount, findAccountByEmail } from '../account-store.ts';
import { userJson } from '../user-json.ts';
import { type ListSteps, STEP_ACCOUNTS } from './list-steps.ts';

/** The order of a filtered list. */
export type ListOrder = 'uid' | 'email' | AccountTime;

export interface FilteredRange {
  readonly prefix: string;
  /** The key of the account after which the list continues; `null` starts at the first. */
  readonly after: string | null;
  readonly limit: number;
}

/** A page of the accounts that match a filter. It may have no account and still have a next page. */
export interface FilteredPage {
  /** In the format of the official API. */
  readonly accounts: readonly JsonObject[];
  /** The value of `after` for the next page; `null` on the last page. */
  readonly next: string | null;
  /** Number of accounts that were read for the page. */
  readonly examined: number;
}

/** Number of accounts that are read for one page. The caller requests the next page to read on. */
export const MAX_EXAMINED = 5_000;

/** Lists of accounts that match a filter. */
export class FilteredLists {
  readonly #recordStore: RecordStore;
  readonly #steps: ListSteps;

  constructor(recordStore: RecordStore, steps: ListSteps) {
    this.#recordStore = recordStore;
    this.#steps = steps;
  }

  /**
   * Returns the next accounts that match a filter, in an order. Reads the accounts in steps between which other requests
   * run, and at most `MAX_EXAMINED`. In the order of the last sign-in, it reads only accounts within the filter's bounds.
   * Throws `request/overload` for an order that is not indexed yet.
   */
  async list(
    scope: AccountScope,
    by: ListOrder,
    { prefix, after, limit }: FilteredRange,
    filter: AccountFilter,
  ): Promise<FilteredPage> {
    const found: Account[] = [];
    const bounds = by === 'seen' && typeof filter.seen === 'object' ? seenBounds(filter.seen) : undefined;
    let last = after ?? bounds?.before ?? null;
    let examined = 0;
    for (;;) {
      await this.#steps.enter();
      const step = this.#recordStore.read((view) => {
        const records = view.records(accountRecords(scope));
        const keys = listKeys(records, by, prefix, last).filter(
          (key) => key.startsWith(prefix) && (bounds === undefined || key >= bounds.from),
        );
        return keys.map((key) => ({ key, account: accountAt(records, by, key) }));
      });
      for (const { key, account } of step) {
        examined += 1;
        last = key;
        if (account !== undefined && isMatch(account, filter)) found.push(account);
        if (found.length === limit) break;
      }
      const isEnd = step.length < STEP_ACCOUNTS && last === (step.at(-1)?.key ?? last);
      if (isEnd || found.length === limit || examined >= MAX_EXAMINED)
        return {
          accounts: found.map((account) => userJson(account, scope)),
          next: isEnd ? null : last,
          examined,
        };
    }
  }
}

function listKeys(
  records: RecordView,
  by: ListOrder,
  prefix: string,
  after: string | null,
): readonly string[] {
  if (by === 'created' || by === 'seen') {
    requireIndexed(records);
    return listByTime(records, by, after, STEP_ACCOUNTS);
  }
  const range =
    after === null
      ? { ...(prefix === '' ? {} : { prefix }), limit: STEP_ACCOUNTS }
      : { after, limit: STEP_ACCOUNTS };
  return records.listKeys([by === 'uid' ? 'accounts' : 'emails'], range);
}

function accountAt(records: RecordView, by: ListOrder, key: string): Account | undefined {
  if (by === 'email') return findAccountByEmail(records, key);
  return findAccount(records, by === 'uid' ? key : uidOfEntry(key));
}
