import { expect, test } from 'vitest';
import { simulate } from './simulation.ts';

/** `npm run cluster -- simulate` runs any number of histories. */
const HISTORIES = 400;

const seeds = Array.from({ length: HISTORIES }, (_, index) => index + 1);

test('[D10] in histories with faults and rivals nothing acknowledged is lost or doubled, and views agree', () => {
  const results = seeds.map((seed) => ({ seed, ...simulate({ seed }) }));
  expect(results.filter(({ problem }) => problem !== undefined)).toEqual([]);
  // The histories contain the events that they are meant to test.
  const total = (count: (result: (typeof results)[number]) => number): number =>
    results.reduce((sum, result) => sum + count(result), 0);
  expect(total(({ acknowledged }) => acknowledged)).toBeGreaterThan(10 * HISTORIES);
  expect(total(({ rejected }) => rejected)).toBeGreaterThan(HISTORIES);
  expect(total(({ epochs }) => epochs)).toBeGreaterThan(2 * HISTORIES);
  expect(total(({ deadMessages }) => deadMessages)).toBeGreaterThan(HISTORIES / 20);
});

test('[D10] without the validity rule the same histories go wrong', () => {
  const problems = seeds.flatMap((seed) => simulate({ seed, rule: () => true }).problem ?? []);
  expect(problems.length).toBeGreaterThan(HISTORIES / 100);
  expect(problems.join()).toMatch(/counter \d goes from \d+ to \d+, but it is/);
});

test('[D10] a history is the same each time', () => {
  expect(simulate({ seed: 7 })).toEqual(simulate({ seed: 7 }));
  expect(simulate({ seed: 7 })).not.toEqual(simulate({ seed: 8 }));
});
