import { expect, test } from 'vitest';
import { runEach, type Tally } from './bulk-actions.tsx';

const NAMES = Array.from({ length: 50 }, (_, index) => `u${index}`);

test('[C197] every item has its turn, and what fails is counted by its reason', async () => {
  const seen: Tally[] = [];
  const tally = await runEach(
    NAMES,
    async (name) => {
      if (name.endsWith('3')) throw new Error('gone');
    },
    (one) => seen.push(one),
    new AbortController().signal,
  );
  expect(tally).toEqual({ done: 45, failures: new Map([['gone', 5]]) });
  expect(seen).toHaveLength(50);
});

test('[C197] nothing more is begun once it is to stop', async () => {
  const stop = new AbortController();
  const begun: string[] = [];
  await runEach(
    NAMES,
    async (name) => {
      begun.push(name);
      stop.abort();
    },
    () => {},
    stop.signal,
  );
  expect(begun.length).toBeLessThan(10);
});
