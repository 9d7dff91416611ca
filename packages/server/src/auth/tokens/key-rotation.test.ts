import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { KeyRotation } from './signing-keys.ts';

const HOUR_MS = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('[I454] the server checks every hour whether a key is due, also after a failure', async () => {
  const log: string[] = [];
  let checkCount = 0;
  const keys = {
    async rotateIfDue() {
      checkCount += 1;
      if (checkCount === 1) throw new Error('no room');
      return [{ use: 'idToken', addedKeyIds: ['next'], removedKeyIds: [] } as const];
    },
  };
  const rotation = new KeyRotation(keys, createLogger('info', { write: (line) => log.push(line) }));
  await vi.advanceTimersByTimeAsync(HOUR_MS - 1);
  expect(checkCount).toBe(0);
  await vi.advanceTimersByTimeAsync(1 + HOUR_MS);
  expect(checkCount).toBe(2);
  expect(log).toEqual([
    expect.stringContaining('no room'),
    expect.stringContaining('"addedKeyIds":["next"]'),
  ]);
  rotation[Symbol.dispose]();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(checkCount).toBe(2);
});
