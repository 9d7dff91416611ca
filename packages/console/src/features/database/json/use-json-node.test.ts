import { expect, test } from 'vitest';
import { runSerially } from './use-json-node.ts';

test('[C428] requests during a run cause one more run after it, and runs never overlap', async () => {
  const ends: (() => void)[] = [];
  let running = 0;
  const request = runSerially(async () => {
    running += 1;
    expect(running).toBe(1);
    await new Promise<void>((resolve) => ends.push(resolve));
    running -= 1;
  });
  const end = async (): Promise<void> => {
    ends.at(-1)?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  request();
  request();
  request();
  expect(ends.length).toBe(1);
  await end();
  await expect.poll(() => ends.length).toBe(2);
  await end();
  await expect.poll(() => running).toBe(0);
  expect(ends.length).toBe(2);
  request();
  expect(ends.length).toBe(3);
  await end();
  await expect.poll(() => running).toBe(0);
});
