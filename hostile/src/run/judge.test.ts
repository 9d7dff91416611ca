import { expect, test } from 'vitest';
import type { CrowdReport } from '../crowd/latencies.ts';
import { COMMON, judge, type Measurement } from './judge.ts';

const MIB = 2 ** 20;

function reportOf(latencyMs: number, failures: readonly string[] = []): CrowdReport {
  const latencies = Array.from({ length: 100 }, () => latencyMs);
  return {
    latenciesMs: {
      write: latencies,
      read: latencies,
      newcomer: latencies,
      signIn: latencies,
      administration: latencies,
    },
    failures,
  };
}

const HELD: Measurement = {
  before: reportOf(20),
  underAttack: reportOf(50),
  after: reportOf(10),
  counts: {},
  delaysMs: [COMMON.delayMs],
  growthBytes: COMMON.growthMiB * MIB,
  diskBytes: COMMON.diskMiB * MIB,
  serverFaults: [],
  death: null,
  warnings: [],
};

test('[P70] a run whose figures are at their bounds has no faults', () => {
  expect(judge(HELD, undefined)).toEqual({ faults: [], timeFaults: [] });
});

test.each<readonly [string, Partial<Measurement>, RegExp]>([
  ['the server ended', { death: 'it ended' }, /did not survive/],
  ['a client was rejected', { underAttack: reportOf(20, ['read: 503']) }, /failed under attack: read: 503/],
  ['the server failed', { counts: { 'answered 500': 2 } }, /answered 2 requests with an internal error/],
  ['memory grew', { growthBytes: COMMON.growthMiB * MIB + MIB }, /Memory grew by 129 MiB/],
  ['the data grew', { diskBytes: COMMON.diskMiB * MIB + MIB }, /The data grew by 65 MiB/],
])('[P71] a fault is that %s', (_name, change, sentence) => {
  const { faults } = judge({ ...HELD, ...change }, undefined);
  expect(faults).toEqual([expect.stringMatching(sentence)]);
});

test('[P71] a crowd without any response is a fault', () => {
  const silent = {
    latenciesMs: { write: [], read: [], newcomer: [], signIn: [], administration: [] },
    failures: [],
  };
  expect(judge({ ...HELD, underAttack: silent }, undefined).faults).toHaveLength(5);
});

test.each<readonly [string, Partial<Measurement>, RegExp]>([
  [
    'others wait more than three times as long',
    { underAttack: reportOf(61) },
    /p99 of write was 61 ms, without the attack 20 ms/,
  ],
  [
    'a delay of the event loop is too long',
    { delaysMs: [10, COMMON.delayMs + 1] },
    /delay of the event loop was 51 ms/,
  ],
])('[P71] a fault of time is that %s', (_name, change, sentence) => {
  const { faults, timeFaults } = judge({ ...HELD, ...change }, undefined);
  expect(faults).toEqual([]);
  expect(timeFaults[0]).toMatch(sentence);
});

test('[P71] a scenario can allow more, with a reason', () => {
  const measured = { ...HELD, delaysMs: [80], diskBytes: 100 * MIB };
  expect(judge(measured, { delayMs: 90, diskMiB: 100, reason: 'for this test' })).toEqual({
    faults: [],
    timeFaults: [],
  });
});
