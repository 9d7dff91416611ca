import { expect, test } from 'vitest';
import { memoryRecordStore, TestClock } from '../records/memory-records.fixture.ts';
import { countSms, SMS_LIMITS, type SmsCharge, UNLIMITED_SMS, type WarnedBudget } from './budgets.ts';

const CHARGE: SmsCharge = {
  project: 'demo',
  phoneNumber: '+16505550101',
  country: 'US',
  host: '192.0.2.1',
  uid: null,
  perProjectAndDay: 500,
  spending: null,
  isProven: true,
};
const HOUR_MS = 3_600_000;

function openBudgets(limits = SMS_LIMITS) {
  const clock = new TestClock();
  clock.ms = 24 * HOUR_MS * 10;
  const store = memoryRecordStore(clock);
  const warnings: WarnedBudget[] = [];
  return {
    clock,
    store,
    /** Counts a message. Returns the limit that rejects it, or `undefined` if none does. */
    async count(change: Partial<SmsCharge> = {}) {
      const count = await store.change((transaction) =>
        countSms(transaction.records('sms'), { ...CHARGE, ...change }, limits, transaction.nowMs),
      );
      if (count.kind === 'limited') return count.limit;
      warnings.push(...count.nearlyUsed);
      return undefined;
    },
    warnings,
  };
}

/** Counts messages, one after the other, until a limit is reached. Returns how many fit, and the limit. */
async function countUntilFull(
  { count, clock }: ReturnType<typeof openBudgets>,
  chargeAt: (index: number) => Partial<SmsCharge>,
  pauseMs = 30_000,
) {
  for (let index = 0; index < 1_000; index++) {
    const limit = await count(chargeAt(index));
    if (limit !== undefined) return [index, limit];
    clock.ms += pauseMs;
  }
  return 'no limit';
}

test.each<readonly [string, (index: number) => Partial<SmsCharge>, number, number, string]>([
  ['one number in an hour', (index) => ({ host: `h${index}` }), 30_000, 5, 'often'],
  ['one number in a day', (index) => ({ host: `h${index}` }), HOUR_MS, 10, 'often'],
  ['one address in an hour', (index) => ({ phoneNumber: `n${index}` }), 0, 10, 'often'],
  [
    'one account in a day',
    (index) => ({ uid: 'u', phoneNumber: `n${index}`, host: `h${index}` }),
    0,
    10,
    'often',
  ],
  ['one country in an hour', (index) => ({ phoneNumber: `n${index}`, host: `h${index}` }), 0, 100, 'quota'],
  [
    'one project in a day',
    (index) => ({ phoneNumber: `n${index}`, host: `h${index}`, country: `c${index}` }),
    0,
    500,
    'quota',
  ],
  [
    'one project in a day without a proof of the app',
    (index) => ({ phoneNumber: `n${index}`, host: `h${index}`, country: `c${index}`, isProven: false }),
    0,
    50,
    'quota',
  ],
])('[I783] messages for %s are limited', async (_name, chargeAt, pauseMs, messages, limit) => {
  expect(await countUntilFull(openBudgets(), chargeAt, pauseMs)).toEqual([messages, limit]);
});

test('[I783] a message that is rejected counts for none of the budgets', async () => {
  const budgets = openBudgets();
  await budgets.count();
  for (let index = 0; index < 20; index++) expect(await budgets.count()).toBe('often');
  expect(await budgets.count({ phoneNumber: 'other' })).toBeUndefined();
});

test('[I783] only the counts of the current hour and day are stored', async () => {
  const { clock, count, store } = openBudgets();
  for (let hour = 0; hour < 30; hour++) {
    await count({ phoneNumber: `n${hour}` });
    clock.ms += HOUR_MS;
  }
  const windows = store.read((view) => view.records('sms').listKeys(['counts'], { limit: 100 }));
  expect(windows).toHaveLength(2);
});

test('[I783] development mode has no limits and stores no counts', async () => {
  const budgets = openBudgets(UNLIMITED_SMS);
  const charge = { perProjectAndDay: Number.POSITIVE_INFINITY };
  expect(await countUntilFull(budgets, () => charge, 0)).toBe('no limit');
  expect(budgets.store.read((view) => view.records('sms').listKeys(['counts'], { limit: 9 }))).toEqual([]);
});

test('[I797] a warning is reported once when 80 % of the budget of a country or a project is used', async () => {
  const budgets = openBudgets();
  const numbered = (index: number) => ({ phoneNumber: `n${index}`, host: `h${index}`, perProjectAndDay: 90 });
  for (let index = 0; index < 71; index++) await budgets.count(numbered(index));
  expect(budgets.warnings).toEqual([]);
  await budgets.count(numbered(71));
  expect(budgets.warnings).toEqual(['project']);
  for (let index = 72; index < 90; index++) await budgets.count(numbered(index));
  expect(budgets.warnings).toEqual(['project', 'country']);
});

test('[I797] clients that prove nothing may use a tenth of a budget, and no owner is warned about that tenth', async () => {
  const budgets = openBudgets();
  const spending = { costMicros: 1_000, perDayMicros: 100_000 };
  const charge = (index: number) => ({
    phoneNumber: `n${index}`,
    host: `h${index}`,
    isProven: false,
    spending,
  });
  expect(await countUntilFull(budgets, charge, 0)).toEqual([10, 'quota']);
  expect(budgets.warnings).toEqual([]);
});

test('[I804] the messages of a day cost at most the amount of the project, and a message that costs too much is not counted', async () => {
  const budgets = openBudgets();
  const charge = (index: number, costMicros: number) => ({
    phoneNumber: `n${index}`,
    host: `h${index}`,
    spending: { costMicros, perDayMicros: 1_000_000 },
  });
  for (let index = 0; index < 9; index++) expect(await budgets.count(charge(index, 100_000))).toBeUndefined();
  expect(budgets.warnings).toEqual(['spending']);
  expect(await budgets.count(charge(9, 100_001))).toBe('quota');
  expect(await budgets.count(charge(9, 100_000))).toBeUndefined();
  expect(await budgets.count(charge(10, 1))).toBe('quota');
  expect(await budgets.count({ phoneNumber: 'free', host: 'free' })).toBeUndefined();
  budgets.clock.ms += 24 * HOUR_MS;
  expect(await budgets.count(charge(10, 1_000_000))).toBeUndefined();
  expect(budgets.warnings).toEqual(['spending', 'spending']);
});

test('[I804] clients that prove nothing may spend at most a tenth of the amount', async () => {
  const budgets = openBudgets();
  const spending = { costMicros: 60_000, perDayMicros: 1_000_000 };
  expect(await budgets.count({ spending, isProven: false })).toBeUndefined();
  expect(await budgets.count({ spending, isProven: false, phoneNumber: 'n', host: 'h' })).toBe('quota');
});
