import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type HashingPurpose, HashingQueue, PasswordHasherBusy } from './hashing-queue.ts';
import { openWaitingPlaces } from './waiting-places.fixture.ts';

function openQueue(concurrency: number, maxWaiting: number, ofNetwork?: number): HashingQueue {
  return new HashingQueue(concurrency, openWaitingPlaces(maxWaiting, ofNetwork));
}

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
        const queue = openQueue(concurrency, maxWaiting);
        const started: number[] = [];
        let running = 0;
        const tasks = Array.from({ length: count }, openTask);
        const results = tasks.map((task, index) =>
          queue.run('sign-in', 'n1', async () => {
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
  const queue = openQueue(1, 1);
  const failing = queue.run('sign-in', 'n1', () => Promise.reject(new Error('broken')));
  const next = queue.run('sign-in', 'n1', () => Promise.resolve('done'));
  await expect(queue.run('sign-in', 'n1', () => Promise.resolve())).rejects.toThrow(PasswordHasherBusy);
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
  expect(await queue.run('sign-in', 'n1', () => Promise.resolve('again'))).toBe('again');
});

test('[I565] new passwords that wait take no place from sign-ins, and half as many of them may wait', async () => {
  const queue = openQueue(1, 4);
  const first = openTask();
  const running = queue.run('new-password', 'n1', first.run);
  const run = (purpose: HashingPurpose): Promise<string> =>
    queue.run(purpose, 'n1', () => Promise.resolve(purpose));
  const setting = [run('new-password'), run('new-password')];
  await expect(run('new-password')).rejects.toThrow(PasswordHasherBusy);
  const signingIn = Array.from({ length: 4 }, () => run('sign-in'));
  await expect(run('sign-in')).rejects.toThrow(PasswordHasherBusy);
  first.end();
  await running;
  expect(await Promise.all([...setting, ...signingIn])).toEqual([
    'new-password',
    'new-password',
    ...Array.from({ length: 4 }, () => 'sign-in'),
  ]);
  expect(await run('new-password')).toBe('new-password');
});

test('[I663] foreign hashes take at most half of the slots, and other passwords run before waiting foreign hashes', async () => {
  const queue = openQueue(4, 4);
  const slow = [openTask(), openTask(), openTask(), openTask()];
  const foreign = slow.map(({ run }) => queue.run('foreign', 'n1', run));
  await expect(queue.run('foreign', 'n1', () => Promise.resolve())).rejects.toThrow(PasswordHasherBusy);
  expect(await queue.run('sign-in', 'n1', () => Promise.resolve('in'))).toBe('in');
  expect(await queue.run('new-password', 'n1', () => Promise.resolve('set'))).toBe('set');
  for (const { end } of slow) end();
  await Promise.all(foreign);
});

test('[I663] with a single slot, foreign hashes run in order of arrival', async () => {
  const queue = openQueue(1, 4);
  const first = openTask();
  const running = queue.run('sign-in', 'n1', first.run);
  const order: string[] = [];
  const waiting = (['foreign', 'sign-in', 'foreign'] as const).map((purpose) =>
    queue.run(purpose, 'n1', async () => {
      order.push(purpose);
    }),
  );
  first.end();
  await Promise.all([running, ...waiting]);
  expect(order).toEqual(['foreign', 'sign-in', 'foreign']);
});

test('[I692] the networks take turns, so that a network with many tasks delays another by one task', async () => {
  const queue = openQueue(1, 20);
  const first = openTask();
  const running = queue.run('sign-in', 'n1', first.run);
  const order: string[] = [];
  const waiting = ['n1', 'n1', 'n1', 'n1', 'n2', 'n2', 'n3'].map((network) =>
    queue.run('sign-in', network, async () => {
      order.push(network);
    }),
  );
  first.end();
  await Promise.all([running, ...waiting]);
  expect(order).toEqual(['n1', 'n2', 'n3', 'n1', 'n2', 'n1', 'n1']);
});

test('[I692] neighboring networks share one turn, which they take one after the other', async () => {
  const queue = openQueue(1, 40);
  const first = openTask();
  const running = queue.run('sign-in', '192.0.2.1', first.run);
  const order: string[] = [];
  const guesses = Array.from({ length: 30 }, (_, host) => `192.0.2.${host}`);
  const waiting = [...guesses, '198.51.100.1', '198.51.100.1'].map((network) =>
    queue.run('sign-in', network, async () => void order.push(network)),
  );
  first.end();
  await Promise.all([running, ...waiting]);
  expect(order.slice(0, 5)).toEqual(['192.0.2.0', '198.51.100.1', '192.0.2.1', '198.51.100.1', '192.0.2.2']);
});

test('[I692] when all places are taken, only tasks of the network with the most tasks are rejected', async () => {
  const queue = openQueue(1, 4, 4);
  const first = openTask();
  const running = queue.run('sign-in', 'n1', first.run);
  const many = [1, 2, 3, 4].map((name) => queue.run('sign-in', 'n1', () => Promise.resolve(name)));
  await expect(queue.run('sign-in', 'n1', () => Promise.resolve())).rejects.toThrow(PasswordHasherBusy);
  const other = queue.run('sign-in', 'n2', () => Promise.resolve('other'));
  await expect(many[0]).rejects.toThrow(PasswordHasherBusy);
  first.end();
  await running;
  expect(await other).toBe('other');
  expect(await Promise.all(many.slice(1))).toEqual([2, 3, 4]);
});

test('[I692] one network takes at most half of the places', async () => {
  const queue = openQueue(1, 4, 2);
  const first = openTask();
  const running = queue.run('sign-in', 'n1', first.run);
  const run = (): Promise<void> => queue.run('sign-in', 'n1', () => Promise.resolve());
  const waiting = [run(), run()];
  await expect(run()).rejects.toThrow(PasswordHasherBusy);
  first.end();
  await Promise.all([running, ...waiting]);
});
