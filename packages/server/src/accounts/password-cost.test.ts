import { expect, test } from 'vitest';
import { memoryBooks, TestClock } from '../books/memory-books.fixture.ts';
import { DEFAULT_ARGON2_COST } from '../passwords/argon2-cost.ts';
import { openPasswordCost } from './password-cost.ts';

/** A clock by which everything takes so long. */
function slow(ms: number): () => number {
  let nowMs = 0;
  return () => {
    nowMs += ms;
    return nowMs;
  };
}

test('[I66] without a time that is aimed at, the cost is the default, and nothing is measured', async () => {
  const elapsedMs = (): number => {
    throw new Error('measured');
  };
  const books = memoryBooks(new TestClock());
  expect(await openPasswordCost({ books, targetMs: null, elapsedMs })).toEqual(DEFAULT_ARGON2_COST);
});

test('[I684] a cost that was measured is kept as long as the same time is aimed at', async () => {
  const books = memoryBooks(new TestClock());
  const passes = async (targetMs: number, hashMs: number): Promise<number> =>
    (await openPasswordCost({ books, targetMs, elapsedMs: slow(hashMs) })).passes;
  expect(await passes(100, 20)).toBe(10);
  expect(await passes(100, 50)).toBe(10);
  expect(await passes(200, 50)).toBe(8);
  expect(await passes(100, 50)).toBe(4);
});
