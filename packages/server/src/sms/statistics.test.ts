import { expect, test } from 'vitest';
import { memoryRecordStore, TestClock } from '../records/memory-records.fixture.ts';
import {
  countAcceptedSms,
  countUsedSms,
  isCountryPaused,
  listSmsCountries,
  resumeCountry,
} from './statistics.ts';

const HOUR_MS = 3_600_000;

function openStatistics(country: string | null = 'US') {
  const clock = new TestClock();
  clock.ms = 24 * HOUR_MS * 10;
  const store = memoryRecordStore(clock);
  /**
   * Records messages sent now, and that users enter the codes of the first `used` of them. Returns whether the country
   * was paused.
   */
  async function send(accepted: number, used: number): Promise<boolean> {
    let isPaused = false;
    for (let index = 0; index < accepted; index++) {
      const sent = { project: 'demo', country, createdAtMs: clock.ms };
      isPaused ||= await store.change((transaction) =>
        countAcceptedSms(transaction.records('sms'), sent, transaction.nowMs),
      );
      if (index < used)
        await store.change((transaction) =>
          countUsedSms(transaction.records('sms'), sent, transaction.nowMs),
        );
    }
    return isPaused;
  }
  return {
    clock,
    send,
    list: () => store.read((view) => listSmsCountries(view.records('sms'), 'demo', clock.ms)),
    isPaused: (of: string | null) => store.read((view) => isCountryPaused(view.records('sms'), 'demo', of)),
    resume: () =>
      store.change((transaction) =>
        resumeCountry(transaction.records('sms'), { project: 'demo', country }, transaction.nowMs),
      ),
  };
}

test.each<readonly [number, number, boolean]>([
  [50, 9, true],
  [50, 10, false],
  [49, 0, false],
])(
  '[I798] after %d messages of which %d were used, the pause of the country is %j',
  async (accepted, used, pauses) => {
    const { clock, send, isPaused } = openStatistics();
    expect(await send(accepted, used)).toBe(false);
    clock.ms += 1_200_000;
    expect(await send(1, 1)).toBe(pauses);
    expect([isPaused('US'), isPaused('DE'), isPaused(null)]).toEqual([pauses, false, false]);
  },
);

test('[I798] messages whose codes have not expired do not pause a country', async () => {
  const { clock, send } = openStatistics();
  await send(60, 0);
  clock.ms += 600_000;
  expect(await send(1, 0)).toBe(false);
  clock.ms += 600_000;
  expect(await send(1, 0)).toBe(true);
});

test('[I798] a country that was allowed again is judged by later messages alone', async () => {
  const { clock, send, resume, isPaused } = openStatistics(null);
  await send(60, 0);
  clock.ms += 1_200_000;
  expect(await send(1, 0)).toBe(true);
  expect([await resume(), await resume(), isPaused(null)]).toEqual([true, false, false]);
  clock.ms += 1_200_000;
  expect(await send(1, 0)).toBe(false);
  await send(50, 0);
  clock.ms += 1_200_000;
  expect(await send(1, 0)).toBe(true);
});

test('[I799] statistics count the messages of the last 24 hours', async () => {
  const { clock, send, list } = openStatistics();
  await send(3, 1);
  clock.ms += HOUR_MS;
  await send(2, 2);
  expect(list()).toEqual([
    { country: 'US', accepted: 5, delivered: 0, failed: 0, used: 3, pausedAtMs: null },
  ]);
  clock.ms += 23 * HOUR_MS;
  expect(list()).toMatchObject([{ accepted: 2, used: 2 }]);
  await send(1, 0);
  expect(list()).toMatchObject([{ accepted: 3, used: 2 }]);
  clock.ms += 25 * HOUR_MS;
  expect(list()).toMatchObject([{ accepted: 0, used: 0 }]);
});
