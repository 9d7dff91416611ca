import { expect, test } from 'vitest';
import { memoryRecordStore, TestClock } from '../records/memory-records.fixture.ts';
import { awaitReceipt, parseTwilioReceipt } from './receipts.ts';

/** The example in the documentation of Twilio. */
const URL_ = 'https://mycompany.com/myapp.php?foo=1&bar=2';
const FORM = {
  CallSid: 'CA1234567890ABCDE',
  Caller: '+14158675309',
  Digits: '1234',
  From: '+14158675309',
  To: '+18005551212',
};
const SIGNATURE = 'RSOYDt4T1cUTdK1PDd93/VVr8B8=';

test('[I800] the signature in the documentation of Twilio is right', () => {
  expect(parseTwilioReceipt(URL_, new URLSearchParams(FORM), SIGNATURE, '12345')).toBeUndefined();
});

test.each<readonly [string, string, object, string, string]>([
  ['another URL', 'https://mycompany.com/myapp.php?foo=1', FORM, SIGNATURE, '12345'],
  ['another field', URL_, { ...FORM, Digits: '1235' }, SIGNATURE, '12345'],
  ['another token', URL_, FORM, SIGNATURE, '12346'],
  ['no signature', URL_, FORM, '', '12345'],
  ['a short signature', URL_, FORM, SIGNATURE.slice(1), '12345'],
])('[I800] a receipt with %s is rejected', (_name, url, form, signature, token) => {
  expect(parseTwilioReceipt(url, new URLSearchParams({ ...form }), signature, token)).toBeNull();
});

test('[I800] only the messages of two days wait for receipts', async () => {
  const clock = new TestClock();
  const store = memoryRecordStore(clock);
  const days = () =>
    store.read((view) =>
      ['awaited', 'awaitedCount'].map((kind) => view.records('sms').listKeys([kind], { limit: 10 }).length),
    );
  for (const expected of [1, 2, 2, 2]) {
    for (const id of ['SM1', 'SM2'])
      await store.change((transaction) =>
        awaitReceipt(
          transaction.records('sms'),
          { project: 'demo', country: 'US', createdAtMs: clock.ms },
          id,
          transaction.nowMs,
        ),
      );
    expect(days()).toEqual([expected, expected]);
    clock.ms += 24 * 3_600_000;
  }
});
