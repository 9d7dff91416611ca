import { expect, test } from 'vitest';
import { isSameSecret } from './long-poll.ts';

test.each([
  ['abc', 'abc', true],
  ['abc', 'abd', false],
  ['abc', 'ab', false],
  ['', 'abc', false],
  ['é', 'e\u0301', false],
])('[W145] %j matches the secret %j: %s', (presented, secret, isSame) => {
  expect(isSameSecret(presented, secret)).toBe(isSame);
});
