import { expect, test } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import { DEFAULT_ARGON2_COST } from './argon2.ts';
import { openPasswordCost } from './argon2-calibration.ts';

function logTo(lines: string[]) {
  return createLogger('info', { isTTY: false, write: (line) => lines.push(line) });
}

/** Creates a clock that advances by `ms` at each reading. */
function slow(ms: number): () => number {
  let nowMs = 0;
  return () => {
    nowMs += ms;
    return nowMs;
  };
}

test('[I66] without a target time, the cost is the wanted one, and nothing is measured', async () => {
  const elapsedMs = (): number => {
    throw new Error('measured');
  };
  const recordStore = memoryRecordStore(new TestClock());
  const wanted = DEFAULT_ARGON2_COST;
  expect(await openPasswordCost({ recordStore, wanted, elapsedMs, logger: logTo([]) })).toEqual(wanted);
});

test('[I684] a measured cost is logged, and kept as long as the target time stays the same', async () => {
  const recordStore = memoryRecordStore(new TestClock());
  const lines: string[] = [];
  const logger = logTo(lines);
  const passes = async (targetMs: number, hashMs: number): Promise<number> =>
    (await openPasswordCost({ recordStore, wanted: { targetMs }, elapsedMs: slow(hashMs), logger })).passes;
  expect(await passes(100, 20)).toBe(10);
  expect(await passes(100, 50)).toBe(10);
  expect(await passes(200, 50)).toBe(8);
  expect(await passes(100, 50)).toBe(4);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { targetMs: 100, passes: 10, memoryKiB: DEFAULT_ARGON2_COST.memoryKiB },
    { targetMs: 200, passes: 8 },
    { targetMs: 100, passes: 4 },
  ]);
});
