import { expect, test } from 'vitest';
import { oneAtATime } from './use-json-node.ts';

test('[C428] what is asked for while it is under way is done once more after that, and never twice at once', async () => {
  const ends: (() => void)[] = [];
  let running = 0;
  const ask = oneAtATime(async () => {
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
  ask();
  ask();
  ask();
  expect(ends.length).toBe(1);
  await end();
  await expect.poll(() => ends.length).toBe(2);
  await end();
  await expect.poll(() => running).toBe(0);
  expect(ends.length).toBe(2);
  ask();
  expect(ends.length).toBe(3);
  await end();
  await expect.poll(() => running).toBe(0);
});
