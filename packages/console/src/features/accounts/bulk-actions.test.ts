import { expect, test } from 'vitest';
import { runEach, type Tally } from './bulk-actions.tsx';

const NAMES = Array.from({ length: 50 }, (_, index) => `u${index}`);

test('[C197] each item is changed, and failures are counted by reason', async () => {
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

test('[C197] no change starts after an abort', async () => {
  const stop = new AbortController();
  const started: string[] = [];
  await runEach(
    NAMES,
    async (name) => {
      started.push(name);
      stop.abort();
    },
    () => {},
    stop.signal,
  );
  expect(started).toEqual(['u0']);
});
