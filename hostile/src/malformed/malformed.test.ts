import { expect, test } from 'vitest';
import { KINDS } from './kinds.ts';
import { runMalformed } from './run-malformed.ts';

const INPUTS = 3_000;
const MAX_GROWTH_BYTES = 64 * 2 ** 20;

test('[P72] malformed input of every kind gets an answer, and leaves no error in the log', async () => {
  const { inputs, findings, growthBytes, statuses } = await runMalformed({ inputs: INPUTS, seed: 1 });
  expect(findings).toEqual([]);
  expect(inputs).toBe(INPUTS);
  expect(growthBytes).toBeLessThan(MAX_GROWTH_BYTES);
  // Both sides of each check are reached: the mutations leave some inputs valid.
  expect(statuses['200']).toBeGreaterThan(INPUTS / 100);
  expect(statuses['400']).toBeGreaterThan(INPUTS / 10);
});

test('[P72] an unknown kind of input is an error', async () => {
  expect(Object.keys(KINDS).length).toBeGreaterThanOrEqual(8);
  await expect(runMalformed({ inputs: 1, seed: 1, kinds: ['none'] })).rejects.toThrow('Unknown kind: none.');
});
