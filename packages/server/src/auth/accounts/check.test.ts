import { expect, test } from 'vitest';
import { memoryRecordStore } from '../../records/memory-records.fixture.ts';
import type { RecordTransaction } from '../../records/store.ts';
import { emptyAccount } from './account.ts';
import { accountRecords, saveAccount } from './account-store.ts';
import { checkAccounts } from './check.ts';

const RECORDS = accountRecords('demo');

async function problemsAfter(damage: (records: RecordTransaction) => void): Promise<readonly string[]> {
  const recordStore = memoryRecordStore();
  await recordStore.change((transaction) => {
    for (const uid of ['ann', 'bob'])
      saveAccount(transaction.records(RECORDS), undefined, {
        ...emptyAccount(uid, transaction.nowMs),
        email: `${uid}@example.com`,
        phoneNumber: uid === 'ann' ? '+15550001' : null,
      });
  });
  await recordStore.change((transaction) => damage(transaction.records(RECORDS)));
  return recordStore.read((view) => {
    const check = checkAccounts(view.records(RECORDS));
    for (;;) {
      const { done, value } = check.next();
      if (done === true) return value.problems;
    }
  });
}

test.each<[string, (records: RecordTransaction) => void, readonly string[]]>([
  ['nothing', () => {}, []],
  [
    'a lost address',
    (records) => records.write(['emails', 'ann@example.com'], null),
    ['the account ann is not found by its address'],
  ],
  [
    'a lost number',
    (records) => records.write(['phones', '+15550001'], null),
    ['the account ann is not found by its number'],
  ],
  [
    'an address that leads elsewhere',
    (records) => records.write(['emails', 'eve@example.com'], 'ann'),
    ['something in emails leads to an account that does not have it'],
  ],
  [
    'a lost entry of an index',
    (records) => records.write(['created', '001700000000000\u0000ann'], null),
    ['the account ann is not in all indexes'],
  ],
  [
    'an entry of an index that leads elsewhere',
    (records) => records.write(['names', 'eve\u0000ann'], true),
    ['something in the index names leads to an account that it does not fit'],
  ],
  [
    'a session of nobody',
    (records) => records.write(['sessions', 's'], { uid: 'eve' }),
    ['a session belongs to no account'],
  ],
  [
    'a session that is on no list',
    (records) => records.write(['sessions', 's'], { uid: 'ann' }),
    ['a session of the account ann is not on its list'],
  ],
  [
    'a wrong number of accounts',
    (records) => records.increase(['count'], 1),
    ['3 accounts were counted where 2 are'],
  ],
])('[I532] the doctor finds %s', async (_name, damage, problems) => {
  expect(await problemsAfter(damage)).toEqual(problems);
});
