import { expect, test } from 'vitest';
import {
  findCurrent,
  firstSigningMs,
  inOrder,
  isSuccessorDue,
  outlivedKeys,
  PUBLICATION_AGE_SEC,
  type Scheduled,
} from './key-ring.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Creates keys that start to sign at the given times, which are also their IDs. */
function keysOf(...times: readonly number[]): readonly Scheduled[] {
  return times.map((signsFromMs) => ({ keyId: String(signsFromMs), signsFromMs }));
}

test('[I103] a key is published for twice the cache time of verifiers before it signs', () => {
  expect(PUBLICATION_AGE_SEC).toBe(21_600);
  expect(firstSigningMs(keysOf(0), 5)).toBe(5 + 12 * HOUR);
  expect(firstSigningMs([], 5)).toBe(5);
});

test.each([
  [[], 0, undefined],
  [[10], 5, '10'],
  [[10, 20], 19, '10'],
  [[20, 10], 20, '20'],
  [[10, 20, 30], 25, '20'],
  [[20, 30], 5, '20'],
])('[I103] of keys that start to sign at %j, the key that signs at %d is %s', (times, nowMs, keyId) => {
  expect(findCurrent(keysOf(...times), nowMs)?.keyId).toBe(keyId);
});

test('[I103] keys that start at the same time have a fixed order', () => {
  const [a, b] = [
    { keyId: 'a', signsFromMs: 1 },
    { keyId: 'b', signsFromMs: 1 },
  ];
  expect(inOrder([b, a])).toEqual(inOrder([a, b]));
});

test.each([
  [[], 0, true],
  [[0], 80 * DAY - 1, false],
  [[0], 80 * DAY, true],
  [[0, 80 * DAY + 12 * HOUR], 80 * DAY, false],
  [[0, 80 * DAY + 12 * HOUR], 160 * DAY + 12 * HOUR, true],
])('[I103] with keys that start to sign at %j, a successor is due at %d: %s', (times, nowMs, isDue) => {
  expect(isSuccessorDue(keysOf(...times), nowMs)).toBe(isDue);
});

test.each([
  ['idToken', 13 * HOUR],
  ['sessionCookie', 14 * DAY + 12 * HOUR],
] as const)('[I104] a key for %s stays published for %d ms after its last use', (use, publishedMs) => {
  const lastUseMs = 100 * DAY;
  const keys = keysOf(0, lastUseMs);
  expect(outlivedKeys(use, keys, lastUseMs + publishedMs - 1)).toEqual([]);
  expect(outlivedKeys(use, keys, lastUseMs + publishedMs)).toEqual(keysOf(0));
  expect(outlivedKeys(use, keysOf(0), 1_000 * DAY)).toEqual([]);
});
