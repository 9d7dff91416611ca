import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type HashingPurpose, HashingQueue, PasswordHasherBusy } from './hasher.ts';

/** Creates a task that runs until `end` is called. */
function openTask(): { readonly run: () => Promise<void>; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { run: () => promise, end: resolve };
}

test('[I65] the running and waiting tasks never exceed the limits, and tasks start in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 0, max: 14 }),
      async (concurrency, maxWaiting, count) => {
        const queue = new HashingQueue({ concurrency, maxWaiting });
        const started: number[] = [];
        let running = 0;
        const tasks = Array.from({ length: count }, openTask);
        const results = tasks.map((task, index) =>
          queue.run('sign-in', async () => {
            started.push(index);
            running++;
            expect(running).toBeLessThanOrEqual(concurrency);
            await task.run();
            running--;
          }),
        );
        const settled = Promise.allSettled(results);
        for (const task of tasks) task.end();
        const accepted = Math.min(count, concurrency + maxWaiting);
        expect((await settled).map(({ status }) => status === 'fulfilled')).toEqual(
          tasks.map((_task, index) => index < accepted),
        );
        expect(started).toEqual(Array.from({ length: accepted }, (_, index) => index));
      },
    ),
  );
});

test('[I65] a task that fails frees its slot for the next', async () => {
  const queue = new HashingQueue({ concurrency: 1, maxWaiting: 1 });
  const failing = queue.run('sign-in', () => Promise.reject(new Error('broken')));
  const next = queue.run('sign-in', () => Promise.resolve('done'));
  await expect(queue.run('sign-in', () => Promise.resolve())).rejects.toThrow(PasswordHasherBusy);
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
  expect(await queue.run('sign-in', () => Promise.resolve('again'))).toBe('again');
});

test('[I565] new passwords take at most half of the waiting slots, and sign-ins the rest', async () => {
  const queue = new HashingQueue({ concurrency: 1, maxWaiting: 4 });
  const first = openTask();
  const running = queue.run('new-password', first.run);
  const run = (purpose: HashingPurpose): Promise<string> =>
    queue.run(purpose, () => Promise.resolve(purpose));
  const setting = [run('new-password'), run('new-password')];
  await expect(run('new-password')).rejects.toThrow(PasswordHasherBusy);
  const signingIn = [run('sign-in'), run('sign-in')];
  await expect(run('sign-in')).rejects.toThrow(PasswordHasherBusy);
  first.end();
  await running;
  expect(await Promise.all([...setting, ...signingIn])).toEqual([
    'new-password',
    'new-password',
    'sign-in',
    'sign-in',
  ]);
  expect(await run('new-password')).toBe('new-password');
});

test('[I663] foreign hashes take at most half of the slots, and other passwords run before waiting ones', async () => {
  const queue = new HashingQueue({ concurrency: 4, maxWaiting: 4 });
  const slow = [openTask(), openTask(), openTask(), openTask()];
  const foreign = slow.map(({ run }) => queue.run('foreign', run));
  await expect(queue.run('foreign', () => Promise.resolve())).rejects.toThrow(PasswordHasherBusy);
  expect(await queue.run('sign-in', () => Promise.resolve('in'))).toBe('in');
  expect(await queue.run('new-password', () => Promise.resolve('set'))).toBe('set');
  for (const { end } of slow) end();
  await Promise.all(foreign);
});

test('[I663] with a single slot, foreign hashes run in order of arrival', async () => {
  const queue = new HashingQueue({ concurrency: 1, maxWaiting: 4 });
  const first = openTask();
  const running = queue.run('sign-in', first.run);
  const order: string[] = [];
  const waiting = (['foreign', 'sign-in', 'foreign'] as const).map((purpose) =>
    queue.run(purpose, async () => {
      order.push(purpose);
    }),
  );
  first.end();
  await Promise.all([running, ...waiting]);
  expect(order).toEqual(['foreign', 'sign-in', 'foreign']);
});
