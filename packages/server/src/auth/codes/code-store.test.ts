import { expect, test } from 'vitest';
import { memoryRecordStore } from '../../records/memory-records.fixture.ts';
import type { RecordTransaction, RecordView } from '../../records/store.ts';
import type { NotPromise } from '../../storage/kv/store.ts';
import type { CodePurpose } from './code.ts';
import { addCode, findCode, hasCapacity, removeCodesOf } from './code-store.ts';

const DAY_MS = 86_400_000;

function openRecords() {
  const recordStore = memoryRecordStore();
  return {
    change: (body: (records: RecordTransaction) => void) =>
      recordStore.change((transaction) => body(transaction.records('accounts:demo'))),
    read: <T>(body: (records: RecordView) => NotPromise<T>) =>
      recordStore.read((view) => body(view.records('accounts:demo'))),
  };
}

/** Adds a code that works for a day. */
function add(records: RecordTransaction, code: string, purpose: CodePurpose, nowMs = 0): void {
  addCode(records, code, { purpose, expiresAtMs: nowMs + DAY_MS, wasMailed: true }, nowMs);
}

const account = { uid: 'ann', email: 'ann@example.com' };
const recovery = (email: string): CodePurpose => ({
  kind: 'RECOVER_EMAIL',
  uid: 'ann',
  email,
  newEmail: 'new@example.com',
  wasVerified: true,
});

test.each<CodePurpose>([
  { kind: 'PASSWORD_RESET', ...account },
  { kind: 'VERIFY_EMAIL', ...account },
  { kind: 'EMAIL_SIGNIN', email: 'ann@example.com' },
  { kind: 'VERIFY_AND_CHANGE_EMAIL', ...account, newEmail: 'new@example.com', validSinceSec: 7 },
  { kind: 'RECOVER_EMAIL', ...account, newEmail: 'new@example.com', wasVerified: true },
  { kind: 'REVERT_SECOND_FACTOR_ADDITION', ...account, enrollmentId: 'a' },
])('[I336] a code of type $kind is read back as it was stored', async (purpose) => {
  const { change, read } = openRecords();
  await change((records) => add(records, 'c0de', purpose, 5));
  const stored = { purpose, sinceMs: 5, expiresAtMs: 5 + DAY_MS, wasMailed: true, mismatches: 0 };
  expect(read((records) => findCode(records, 'c0de'))).toMatchObject(stored);
});

test('[I338] codes that revert different changes do not void each other', async () => {
  const { change, read } = openRecords();
  for (const [i, email] of ['a@example.com', 'b@example.com', 'a@example.com'].entries())
    await change((records) => add(records, `code ${i}`, recovery(email)));
  expect(read((records) => records.list(['codes'], { limit: 10 }))).toHaveLength(2);
});

test('[I356] codes that expired more than a day ago are deleted, up to eight whenever a code is added', async () => {
  const { change, read } = openRecords();
  const signIn = (email: string): CodePurpose => ({ kind: 'EMAIL_SIGNIN', email });
  for (let i = 0; i < 12; i += 1) await change((records) => add(records, `c${i}`, signIn(`${i}@x.example`)));
  const left = () =>
    ['codes', 'codesOf', 'codesUntil'].map(
      (kind) => read((records) => records.list([kind], { limit: 100 })).length,
    );
  await change((records) => add(records, 'd', signIn('d@x.example'), 2 * DAY_MS));
  expect(left()).toEqual([13, 13, 13]);
  await change((records) => add(records, 'e', signIn('e@x.example'), 2 * DAY_MS + 1));
  expect(left()).toEqual([6, 6, 6]);
  await change((records) => add(records, 'f', signIn('f@x.example'), 2 * DAY_MS + 1));
  expect(left()).toEqual([3, 3, 3]);
});

test('[I357] an account has at most 100 codes that revert a change, and other codes are still issued', async () => {
  const { change, read } = openRecords();
  await change((records) => {
    for (let i = 0; i < 100; i += 1) add(records, `c${i}`, recovery(`${i}@example.com`));
  });
  expect(read((records) => hasCapacity(records, recovery('more@example.com')))).toBe(false);
  expect(read((records) => hasCapacity(records, { kind: 'PASSWORD_RESET', ...account }))).toBe(true);
  await change((records) => add(records, 'reset', { kind: 'PASSWORD_RESET', ...account }));
  await change((records) => removeCodesOf(records, 'ann'));
  expect(read((records) => records.list([], { limit: 10 }))).toEqual([]);
});
