import { expect, test, vi } from 'vitest';
import { AppCheckSweep, type CheckedConnections } from './app-check-sweep.ts';

test('[W197] a sweep visits at most 1,000 connections in one iteration of the event loop, and all of them', async () => {
  const visits: number[] = [];
  let iteration = 0;
  let isOver = false;
  const connectionsOf = (count: number): CheckedConnections => ({
    *endUnchecked() {
      for (let index = 0; index < count && !isOver; index += 1) {
        visits[iteration] = (visits[iteration] ?? 0) + 1;
        yield;
      }
    },
  });
  const countIterations = (): void => {
    iteration += 1;
    if (!isOver) setImmediate(countIterations);
  };
  using _sweep = new AppCheckSweep([connectionsOf(1_500), connectionsOf(1_700)], 1);
  countIterations();
  const total = () => visits.reduce((sum, count) => sum + (count ?? 0), 0);
  await vi.waitUntil(() => total() >= 3_200, { timeout: 120_000 });
  isOver = true;
  expect(Math.max(...visits.filter((count) => count !== undefined))).toBeLessThanOrEqual(1_000);
});
