import { expect, test } from 'vitest';
import { DEFAULT_COST, Difficulty, MAX_COST } from './difficulty.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WHERE = { network: 'a', projectId: 'shop', action: 'verify' };

test('[I874] every three events of a network double its cost, up to forty times, for ten minutes', () => {
  const difficulty = new Difficulty();
  const costAfter = (events: number, nowMs = 0): number => {
    difficulty.recordEvents('a', events, nowMs);
    return difficulty.costOf(1_000, WHERE, nowMs);
  };
  expect([costAfter(0), costAfter(3), costAfter(3)]).toEqual([1_000, 2_000, 4_000]);
  expect(costAfter(1_000)).toBe(40_000);
  expect(difficulty.costOf(1_000, { ...WHERE, network: 'b' }, 0)).toBe(1_000);
  expect(difficulty.costOf(1_000, WHERE, 10 * MINUTE_MS - 1)).toBe(40_000);
  expect(difficulty.costOf(1_000, WHERE, 10 * MINUTE_MS)).toBe(1_000);
});

test('[I874] no challenge costs more than the maximum', () => {
  const difficulty = new Difficulty();
  difficulty.recordEvents('a', 1_000, 0);
  expect(difficulty.costOf(DEFAULT_COST, WHERE, 0)).toBe(40 * DEFAULT_COST);
  expect(difficulty.costOf(100_000, WHERE, 0)).toBe(MAX_COST);
});

/** Records solved challenges in each of some hours, and returns the next hour. */
function observe(difficulty: Difficulty, hours: number, perHour: number): number {
  for (let hour = 0; hour < hours; hour++)
    for (let count = 0; count < perHour; count++) difficulty.recordSolved('shop', 'verify', hour * HOUR_MS);
  return hours * HOUR_MS;
}

test('[I875] an action that is solved more than ten times as often as in the median hour costs twice as much', () => {
  const difficulty = new Difficulty();
  const nowMs = observe(difficulty, 30, 20);
  const costAfter = (solved: number): number => {
    for (let count = 0; count < solved; count++) difficulty.recordSolved('shop', 'verify', nowMs);
    return difficulty.costOf(1_000, WHERE, nowMs);
  };
  expect([costAfter(200), costAfter(1)]).toEqual([1_000, 2_000]);
  expect(difficulty.costOf(1_000, { ...WHERE, action: 'getOobCode' }, nowMs)).toBe(1_000);
  expect(difficulty.costOf(1_000, { ...WHERE, projectId: 'other' }, nowMs)).toBe(1_000);
  expect(difficulty.costOf(1_000, WHERE, nowMs + HOUR_MS)).toBe(1_000);
});

test('[I875] the first day of an action, and an hour of few solutions, are never unusual', () => {
  const young = new Difficulty();
  const early = observe(young, 3, 1);
  for (let count = 0; count < 500; count++) young.recordSolved('shop', 'verify', early);
  expect(young.costOf(1_000, WHERE, early)).toBe(1_000);
  const quiet = new Difficulty();
  const later = observe(quiet, 30, 0) + HOUR_MS;
  quiet.recordSolved('shop', 'verify', 0);
  for (let count = 0; count < 100; count++) quiet.recordSolved('shop', 'verify', later);
  expect(quiet.costOf(1_000, WHERE, later)).toBe(1_000);
  quiet.recordSolved('shop', 'verify', later);
  expect(quiet.costOf(1_000, WHERE, later)).toBe(2_000);
});
