import { expect, test } from 'vitest';
import { isCommonPassword } from './check-password.ts';
import { COMMON_PASSWORD_LIST } from './common-password-list.ts';

const WORDS = COMMON_PASSWORD_LIST.trim().split(/\s+/);

test('[I83] the list has thousands of entries, in lower case, sorted and without duplicates', () => {
  expect(WORDS.length).toBeGreaterThan(5000);
  expect(Buffer.byteLength(COMMON_PASSWORD_LIST)).toBeLessThan(60_000);
  expect(WORDS).toEqual([...new Set(WORDS.map((word) => word.toLowerCase()))].sort());
});

test('[I83] every entry is common, in any case and with up to four digits or exclamation marks', () => {
  for (const word of WORDS) {
    expect(isCommonPassword(word)).toBe(true);
    expect(isCommonPassword(word.toUpperCase())).toBe(true);
  }
});

test.each([
  '12345678',
  'password',
  'Passw0rd',
  'P@ssw0rd',
  'qwertyuiop',
  '1q2w3e4r5t',
  'iloveyou',
  'Sunshine1',
  'princess2024',
  'Liverpool1!',
  'welcome123!',
  'trustno1',
])('[I83] %s is common', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

test.each([
  '',
  '!!!',
  'password12345x',
  'xpassword',
  'princess20245',
  'pass word',
  'correct horse battery staple',
  'qvxbnwzk',
  'tr0ub4dor&3',
])('[I83] %s is not common', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});
