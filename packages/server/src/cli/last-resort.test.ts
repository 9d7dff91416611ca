import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../platform/logger.ts';
import { LastResort } from './last-resort.ts';

function openLastResort() {
  // The time limit of an orderly stop would end the process of the tests.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const log: string[] = [];
  const before = process.listeners('uncaughtException');
  const streams = [process.stdout, process.stderr];
  const listenersBefore = streams.map((stream) => stream.listeners('error'));
  const lastResort = new LastResort(createLogger('info', { write: (line) => log.push(line) }));
  onTestFinished(() => {
    vi.useRealTimers();
    for (const listener of process.listeners('uncaughtException'))
      if (!before.includes(listener)) process.off('uncaughtException', listener);
    for (const [index, stream] of streams.entries())
      for (const listener of stream.listeners('error'))
        if (listenersBefore[index]?.includes(listener) === false)
          stream.off('error', listener as (error: Error) => void);
  });
  return { lastResort, log };
}

test('[H545] the server continues when the system is out of files', () => {
  const { lastResort, log } = openLastResort();
  lastResort.take(Object.assign(new Error('open'), { code: 'EMFILE' }), 'uncaughtException');
  expect(log.join('')).toContain('out of a resource');
  expect(() => lastResort.throwIfFailed()).not.toThrow();
});

test('[H545] the server stops after any other error, and logs the error', async () => {
  const { lastResort, log } = openLastResort();
  lastResort.take(new TypeError('x is not a function'), 'unhandledRejection');
  await lastResort.failed;
  expect(log.join('')).toContain('x is not a function');
  expect(() => lastResort.throwIfFailed()).toThrow('unexpected error');
});

test.each([['text'], [null], [undefined]])(
  '[H545] the server stops even if the thrown value is not an error: %j',
  async (thrown) => {
    const { lastResort, log } = openLastResort();
    lastResort.take(thrown, 'uncaughtException');
    await lastResort.failed;
    expect(log.join('')).toContain('the server stops');
  },
);

test('[H545] the server continues if it cannot print a line', () => {
  const { lastResort } = openLastResort();
  for (const stream of [process.stdout, process.stderr])
    expect(() => stream.emit('error', Object.assign(new Error('write'), { code: 'EPIPE' }))).not.toThrow();
  expect(() => lastResort.throwIfFailed()).not.toThrow();
});
