import { expect, test } from 'vitest';
import { isUserId } from './create-account-dialog.tsx';

test.each([
  ['ann', true],
  ['a b.c:d', true],
  ['x'.repeat(128), true],
  ['x'.repeat(129), false],
  ['a/b', false],
  ['a\u0007', false],
  ['\ud800', false],
  ['', false],
])('[C193] whether %j is a valid user ID: %j', (text, isValid) => {
  expect(isUserId(text)).toBe(isValid);
});
