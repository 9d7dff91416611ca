import { expect, test } from 'vitest';
import { memoryRecordStore } from '../../records/memory-records.fixture.ts';
import type { RecordTransaction } from '../../records/store.ts';

import { type Passkey, passkeyKey } from '../passkeys/passkey.ts';

import { projectScope } from '../tenants/scope.ts';

import { emptyAccount } from './account.ts';
import { accountRecords, saveAccount } from './account-store.ts';
import { checkAccounts } from './check.ts';

const RECORDS = accountRecords(projectScope('demo'));
const PASSKEY: Passkey = {
  credentialId: 'AAAA',
  publicKey: 'AAAA',
  counter: 0,
  transports: [],
  isBackupEligible: false,
  isBackedUp: false,
  name: 'Laptop',
  wasAddedVerified: false,
  createdAtMs: 0,
  lastUsedAtMs: null,
};

async function problemsAfter(damage: (records: RecordTransaction) => void): Promise<readonly string[]> {
  const recordStore = memoryRecordStore();
  await recordStore.change((transaction) => {
    for (const uid of ['ann', 'bob'])
      saveAccount(transaction.records(RECORDS), undefined, {
        ...emptyAccount(uid, transaction.nowMs),
        email: `${uid}@example.com`,
        phoneNumber: uid === 'ann' ? '+15550001' : null,
        passkeys: uid === 'ann' ? [PASSKEY] : [],
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
    'a missing email entry',
    (records) => records.write(['emails', 'ann@example.com'], null),
    ['account ann has no entry for its address'],
  ],
  [
    'a missing phone entry',
    (records) => records.write(['phones', '+15550001'], null),
    ['account ann has no entry for its number'],
  ],
  [
    'a missing passkey entry',
    (records) => records.write(['passkeys', passkeyKey('AAAA')], null),
    ['account ann has no entry for its passkey'],
  ],
  [
    'a passkey entry that does not fit its account',
    (records) => records.write(['passkeys', passkeyKey('BBBB')], 'ann'),
    ['the index passkeys has an entry that does not fit its account'],
  ],
  [
    'an email entry for another account',
    (records) => records.write(['emails', 'eve@example.com'], 'ann'),
    ['the index emails has an entry that does not fit its account'],
  ],
  [
    'a missing index entry',
    (records) => records.write(['created', '001700000000000\u0000ann'], null),
    ['account ann is missing from an index'],
  ],
  [
    'an index entry that does not fit its account',
    (records) => records.write(['names', 'eve\u0000ann'], true),
    ['the index names has an entry that does not fit its account'],
  ],
  [
    'a session without an account',
    (records) => records.write(['sessions', 's'], { uid: 'eve' }),
    ['a session belongs to an account that does not exist'],
  ],
  [
    'a session that is not listed',
    (records) => records.write(['sessions', 's'], { uid: 'ann' }),
    ['a session of account ann is missing from the list of its sessions'],
  ],
  [
    'a wrong stored number of accounts',
    (records) => records.increase(['count'], 1),
    ['the stored number of accounts is 3, but there are 2'],
  ],
])('[I532][I926] hearth doctor reports %s', async (_name, damage, problems) => {
  expect(await problemsAfter(damage)).toEqual(problems);
});
