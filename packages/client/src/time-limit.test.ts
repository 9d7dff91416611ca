import { afterEach, expect, test, vi } from 'vitest';
import { withTimeLimit } from './time-limit.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Waits for a response that never comes. */
function waitForever(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  });
}

test('[I1640] a request whose response takes longer than 30 s is aborted', async () => {
  vi.useFakeTimers();
  const answer = withTimeLimit(waitForever);
  const rejection = expect(answer).rejects.toThrow('aborted');
  await vi.advanceTimersByTimeAsync(29_999);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await rejection;
});

test.each([
  ['succeeds', () => Promise.resolve(7)],
  ['fails', () => Promise.reject(new Error('no network'))],
])('[I1640] a request that %s leaves no timer', async (_result, request) => {
  vi.useFakeTimers();
  await withTimeLimit<unknown>(request).catch(() => undefined);
  expect(vi.getTimerCount()).toBe(0);
});
