import { expect, test } from 'vitest';
import { randomBytes, sessionId } from './random.ts';

test('a session ID has 32 letters and digits and does not repeat', () => {
  const ids = Array.from({ length: 100 }, sessionId);
  for (const id of ids) expect(id).toMatch(/^[0-9A-Za-z]{32}$/);
  expect(new Set(ids).size).toBe(100);
});

test('randomBytes returns the requested number of bytes, different each time', () => {
  expect(randomBytes(12)).toHaveLength(12);
  expect(randomBytes(12)).not.toEqual(randomBytes(12));
});
