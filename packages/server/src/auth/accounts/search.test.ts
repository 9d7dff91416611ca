import { expect, test } from 'vitest';
import { liveConnectionsContract } from '../../access/live-connections.contract.ts';
import { ADMIN, ANONYMOUS } from '../../access/principal.ts';
import { releasablePartsContract } from '../../http/byte-parts.contract.ts';
import { openTestAdmission, TEST_HOLDER } from '../../platform/pools.fixture.ts';
import { memoryRecordStore } from '../../records/memory-records.fixture.ts';
import { projectScope } from '../tenants/scope.ts';
import { emptyAccount } from './account.ts';
import { accountRecords, saveAccount } from './account-store.ts';
import { AccountSearches } from './search.ts';

const SEARCH = { scope: projectScope('demo'), text: 'u', filter: {}, limit: 1_000 };

async function openSearches(count: number): Promise<AccountSearches> {
  const recordStore = memoryRecordStore();
  await recordStore.change((transaction) => {
    for (let index = 0; index < count; index++)
      saveAccount(
        transaction.records(accountRecords(projectScope('demo'))),
        undefined,
        emptyAccount(`u${index}`, transaction.nowMs),
      );
  });
  return new AccountSearches(recordStore, openTestAdmission().accountSearches);
}

releasablePartsContract('account search', async () => {
  const searches = await openSearches(600);
  const parts = searches.open(ADMIN, TEST_HOLDER, SEARCH);
  for (let count = 0; count < 3; count++) searches.open(ADMIN, TEST_HOLDER, SEARCH);
  return { parts, releases: () => (hasRoom(searches) ? 1 : 0) };
});

liveConnectionsContract('account searches', async () => {
  const searches = await openSearches(1);
  return {
    live: searches,
    async connect(kind) {
      const search = searches.open(kind === 'admin' ? ADMIN : ANONYMOUS, TEST_HOLDER, SEARCH);
      return () => !search.broken.aborted;
    },
    settle: async () => undefined,
  };
});

function hasRoom(searches: AccountSearches): boolean {
  try {
    searches.open(ADMIN, TEST_HOLDER, SEARCH).end();
    return true;
  } catch {
    return false;
  }
}

test('[I614] a fifth search is rejected until another one ends, for example because its client disconnects', async () => {
  const searches = await openSearches(300);
  const open = Array.from({ length: 4 }, () => searches.open(ADMIN, TEST_HOLDER, SEARCH));
  expect(() => searches.open(ADMIN, TEST_HOLDER, SEARCH)).toThrow('There are already 4 searches');
  for (const search of open) expect((await search.next()).done).toBe(false);
  expect(() => searches.open(ADMIN, TEST_HOLDER, SEARCH)).toThrow('There are already 4 searches');
  await open[0]?.return();
  const next = searches.open(ADMIN, TEST_HOLDER, SEARCH);
  expect((await next.next()).done).toBe(false);
});

test('[H554] one member runs at most two searches through accounts, and ends one to start another', async () => {
  const searches = await openSearches(1);
  const open = (network: string) =>
    searches.open(ADMIN, { network, isPrivileged: false, identity: 'ann' }, SEARCH);
  const [first] = [open('n1'), open('n2')];
  expect(() => open('n3')).toThrow('You already have 2 searches');
  first?.stop();
  expect(() => open('n3')).not.toThrow();
});

test('[I614] a search that ended, or was closed before it was read, does not count toward the limit', async () => {
  const searches = await openSearches(1);
  for (let count = 0; count < 9; count++) await searches.open(ADMIN, TEST_HOLDER, SEARCH).return();
  for (let count = 0; count < 9; count++) {
    const lines: string[] = [];
    for await (const line of searches.open(ADMIN, TEST_HOLDER, SEARCH)) lines.push(line.toString());
    expect(lines.join('')).toContain('"kind":"done","looked":1,"found":1,"isComplete":true');
  }
});

test('[I617] a search ends without its last line when the credential is revoked', async () => {
  const searches = await openSearches(600);
  const [ending, staying] = [
    searches.open(ADMIN, TEST_HOLDER, SEARCH),
    searches.open(ANONYMOUS, TEST_HOLDER, SEARCH),
  ];
  for (const search of [ending, staying]) expect((await search.next()).done).toBe(false);
  const pending = ending.next();
  searches.revokeCredentials(({ kind }) => kind === 'admin');
  expect(ending.broken.aborted).toBe(true);
  expect(await pending).toEqual({ done: true, value: undefined });
  expect((await ending.next()).done).toBe(true);
  expect((await staying.next()).done).toBe(false);
  expect(staying.broken.aborted).toBe(false);
});
