import { expect, test } from 'vitest';
import { memoryRecordStore } from '../../../records/memory-records.fixture.ts';
import type { RecordStore } from '../../../records/store.ts';
import { projectScope } from '../../tenants/scope.ts';
import { type Account, emptyAccount } from '../account.ts';
import type { AccountFilter } from '../account-filter.ts';
import { accountRecords, saveAccount } from '../account-store.ts';
import { FilteredLists, type ListOrder, MAX_EXAMINED } from './filtered-list.ts';
import { ListSteps } from './list-steps.ts';

const SCOPE = projectScope('demo');
const DAY_MS = 86_400_000;
const NOW_MS = 1_700_000_000_000;

async function openAccounts(accounts: readonly Partial<Account>[]): Promise<RecordStore> {
  const recordStore = memoryRecordStore();
  await recordStore.change((transaction) => {
    const records = transaction.records(accountRecords(SCOPE));
    for (const [index, account] of accounts.entries())
      saveAccount(records, undefined, { ...emptyAccount(`u${index}`, NOW_MS), ...account });
  });
  return recordStore;
}

/** Returns the user IDs of all pages. Expects that each page respects its limits. */
async function listAll(
  recordStore: RecordStore,
  by: ListOrder,
  filter: AccountFilter,
  limit = 2,
): Promise<readonly unknown[]> {
  const uids: unknown[] = [];
  let after: string | null = null;
  do {
    const page = await new FilteredLists(recordStore, new ListSteps()).list(
      SCOPE,
      by,
      { prefix: '', after, limit },
      filter,
    );
    expect(page.accounts.length).toBeLessThanOrEqual(limit);
    uids.push(...page.accounts.map(({ localId }) => localId));
    after = page.next;
  } while (after !== null);
  return uids;
}

const GOOGLE = {
  providerId: 'google.com',
  rawId: 'g1',
  email: null,
  displayName: null,
  photoUrl: null,
  screenName: null,
  wasLinkedVerified: false,
};

const PEOPLE: readonly Partial<Account>[] = [
  { email: 'ann@example.com', isEmailVerified: true, lastLoginAtMs: NOW_MS - DAY_MS },
  { email: 'bob@example.com', isDisabled: true, lastLoginAtMs: NOW_MS - 40 * DAY_MS },
  { email: 'cid@example.com', customAttributes: '{"role":"admin","level":3}', lastLoginAtMs: NOW_MS },
  { customAttributes: '{"r\\u006fle":["editor","admin"],"beta":false}', identities: [GOOGLE] },
  { phoneNumber: '+4915112345678', isDisabled: true, customAttributes: '{"role":"editor"}' },
  {},
];

test.each<readonly [string, AccountFilter, readonly string[]]>([
  ['disabled accounts', { state: 'disabled' }, ['u1', 'u4']],
  ['enabled accounts', { state: 'enabled' }, ['u0', 'u2', 'u3', 'u5']],
  ['verified addresses', { state: 'verified' }, ['u0']],
  ['unverified addresses', { state: 'unverified' }, ['u1', 'u2']],
  ['a provider', { provider: 'google.com' }, ['u3']],
  ['a phone number', { provider: 'phone' }, ['u4']],
  ['anonymous accounts', { provider: 'anonymous' }, ['u5']],
  ['a claim', { claim: { name: 'role', value: null } }, ['u2', 'u3', 'u4']],
  ['a claim that is false', { claim: { name: 'beta', value: null } }, []],
  ['the value of a claim, or of one of its items', { claim: { name: 'role', value: 'admin' } }, ['u2', 'u3']],
  ['the number of a claim', { claim: { name: 'level', value: '3' } }, ['u2']],
  ['no sign-in', { seen: 'never' }, ['u3', 'u4', 'u5']],
  [
    'a sign-in in the last 30 days',
    { seen: { fromMs: NOW_MS - 30 * DAY_MS, toMs: Number.POSITIVE_INFINITY } },
    ['u0', 'u2'],
  ],
  ['no sign-in in the last 30 days', { seen: { fromMs: 0, toMs: NOW_MS - 30 * DAY_MS } }, ['u1']],
  ['several of them', { state: 'disabled', claim: { name: 'role', value: 'editor' } }, ['u4']],
])('[I2950] a list is filtered by %s', async (_what, filter, uids) => {
  const recordStore = await openAccounts(PEOPLE);
  expect(await listAll(recordStore, 'uid', filter)).toEqual(uids);
  expect((await listAll(recordStore, 'created', filter)).toSorted()).toEqual(uids);
});

test('[I2950] the order of the last sign-in reads only accounts within the bounds', async () => {
  const recordStore = await openAccounts(
    Array.from({ length: 40 }, (_, index) => ({ lastLoginAtMs: NOW_MS - index * DAY_MS })),
  );
  const seen = { fromMs: NOW_MS - 12 * DAY_MS, toMs: NOW_MS - 9 * DAY_MS };
  expect(await listAll(recordStore, 'seen', { seen }, 2)).toEqual(['u10', 'u11', 'u12']);
  const page = await new FilteredLists(recordStore, new ListSteps()).list(
    SCOPE,
    'seen',
    { prefix: '', after: null, limit: 9 },
    { seen },
  );
  // The index stores whole hours, so the page may also examine an account just outside the bounds.
  expect(page.examined).toBeLessThanOrEqual(4);
});

test('[I2950] a page reads a bounded number of accounts, and the next page continues', async () => {
  const count = MAX_EXAMINED + 300;
  const recordStore = await openAccounts(
    Array.from({ length: count }, (_, index) => ({ uid: `u${String(index).padStart(5, '0')}` })),
  );
  await recordStore.change((transaction) => {
    const records = transaction.records(accountRecords(SCOPE));
    saveAccount(records, undefined, { ...emptyAccount('z', NOW_MS), isDisabled: true });
  });
  const filter: AccountFilter = { state: 'disabled' };
  const first = await new FilteredLists(recordStore, new ListSteps()).list(
    SCOPE,
    'uid',
    { prefix: '', after: null, limit: 50 },
    filter,
  );
  expect(first).toMatchObject({ accounts: [], examined: MAX_EXAMINED });
  const second = await new FilteredLists(recordStore, new ListSteps()).list(
    SCOPE,
    'uid',
    { prefix: '', after: first.next, limit: 50 },
    filter,
  );
  expect(second).toMatchObject({ accounts: [{ localId: 'z' }], next: null, examined: 301 });
});

test('[H951] of many filtered lists, one reads accounts in each iteration of the event loop', async () => {
  const recordStore = await openAccounts(Array.from({ length: 500 }, () => ({})));
  let iteration = 0;
  const reads: number[] = [];
  const lists = new FilteredLists(
    {
      ...recordStore,
      read: (body) => {
        reads.push(iteration);
        return recordStore.read(body);
      },
    },
    new ListSteps(),
  );
  const count = (): void => {
    iteration += 1;
    if (iteration < 100) setImmediate(count);
  };
  count();
  const range = { prefix: '', after: null, limit: 50 };
  await Promise.all(Array.from({ length: 8 }, () => lists.list(SCOPE, 'uid', range, { state: 'disabled' })));
  expect(reads).toHaveLength(24);
  expect(new Set(reads).size).toBe(24);
});
