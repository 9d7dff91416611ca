import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryRecordStore } from '../../../records/memory-records.fixture.ts';
import type { RecordStore } from '../../../records/store.ts';
import { projectScope } from '../../tenants/scope.ts';
import { type Account, emptyAccount } from '../account.ts';
import { type AccountFilter, isMatch } from '../account-filter.ts';
import { nameStart, nameStarts } from '../account-index.ts';
import { accountRecords, saveAccount } from '../account-store.ts';
import { MAX_EXAMINED } from './filtered-list.ts';
import { ListSteps } from './list-steps.ts';
import { PrefixLists } from './prefix-list.ts';

const SCOPE = projectScope('demo');
const NOW_MS = 1_700_000_000_000;

async function openAccounts(accounts: readonly Account[]): Promise<RecordStore> {
  const recordStore = memoryRecordStore();
  await recordStore.change((transaction) => {
    const records = transaction.records(accountRecords(SCOPE));
    for (const account of accounts) saveAccount(records, undefined, account);
  });
  return recordStore;
}

/** Returns the user IDs of all pages, in their order, and the number of pages. */
async function listAll(recordStore: RecordStore, text: string, filter: AccountFilter = {}, limit = 50) {
  const uids: unknown[] = [];
  let pages = 0;
  const lists = new PrefixLists(recordStore, new ListSteps());
  let after: string | null = null;
  do {
    const page = await lists.list(SCOPE, { text, after, limit }, filter);
    expect(page.accounts.length).toBeLessThanOrEqual(limit);
    expect(page.examined).toBeLessThanOrEqual(MAX_EXAMINED);
    uids.push(...page.accounts.map(({ localId }) => localId));
    pages += 1;
    after = page.next;
  } while (after !== null);
  return { uids, pages };
}

test('[H951] a filter finds accounts that are far behind the first ones with the prefix', async () => {
  const count = MAX_EXAMINED + 300;
  const accounts = Array.from({ length: count }, (_, index) => ({
    ...emptyAccount(`u${index}`, NOW_MS),
    email: `ann${String(index).padStart(5, '0')}@example.com`,
    isDisabled: index >= count - 3,
  }));
  const recordStore = await openAccounts(accounts);
  expect(await listAll(recordStore, 'ann', { state: 'disabled' }, 2)).toEqual({
    uids: [`u${count - 3}`, `u${count - 2}`, `u${count - 1}`],
    pages: 3,
  });
});

/** Returns whether an account has a value that starts with a text; the same as in [I610], written differently. */
function startsWith({ uid, email, displayName, phoneNumber }: Account, text: string): boolean {
  const name = nameStart(text);
  return (
    uid.startsWith(text) ||
    (email?.startsWith(text.toLowerCase()) ?? false) ||
    (name !== '' && nameStarts(displayName ?? '').some((start) => start.startsWith(name))) ||
    (/^\d{2,15}$/.test(text) && (phoneNumber?.startsWith(`+${text}`) ?? false))
  );
}

const LETTERS = fc.string({ unit: fc.constantFrom('a', 'b', '0', '1', '2'), minLength: 1, maxLength: 4 });

test('[I610][H951] with any page size and filter, the pages have each account with the prefix once, and no other', async () => {
  const value = fc.record({
    uid: LETTERS,
    email: fc.option(LETTERS.map((name) => `${name}@x.y`)),
    displayName: fc.option(fc.array(LETTERS, { maxLength: 3 }).map((words) => words.join(' '))),
    phoneNumber: fc.option(fc.constantFrom('+100', '+1012', '+2222')),
    isDisabled: fc.boolean(),
  });
  const people = fc.uniqueArray(value, {
    maxLength: 12,
    comparator: (a, b) =>
      a.uid === b.uid ||
      (a.email !== null && a.email === b.email) ||
      (a.phoneNumber !== null && a.phoneNumber === b.phoneNumber),
  });
  await fc.assert(
    fc.asyncProperty(
      people,
      LETTERS,
      fc.integer({ min: 1, max: 3 }),
      fc.boolean(),
      async (made, text, limit, isFiltered) => {
        const accounts = made.map((person) => ({ ...emptyAccount(person.uid, NOW_MS), ...person }));
        const filter: AccountFilter = isFiltered ? { state: 'disabled' } : {};
        const { uids } = await listAll(await openAccounts(accounts), text, filter, limit);
        const wanted = accounts.filter((account) => startsWith(account, text) && isMatch(account, filter));
        expect(uids.toSorted()).toEqual(wanted.map(({ uid }) => uid).toSorted());
      },
    ),
    { numRuns: 200 },
  );
});
