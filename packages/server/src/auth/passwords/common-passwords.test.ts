import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMMON_PASSWORDS_FILE, isCommonPassword } from './check-password.ts';

const TEXT = readFileSync(COMMON_PASSWORDS_FILE, 'utf8');
const [COMMENT, ...WORDS] = TEXT.trimEnd().split('\n');

test('[I83] the list has thousands of entries, in lower case, sorted and without duplicates', () => {
  expect(WORDS.length).toBeGreaterThan(5000);
  expect(Buffer.byteLength(TEXT)).toBeLessThan(60_000);
  expect(COMMENT).toMatch(/^# /);
  expect(WORDS.filter((word) => /\s/.test(word) || word === '')).toEqual([]);
  expect(WORDS).toEqual([...new Set(WORDS.map((word) => word.toLowerCase()))].sort());
});

test('[I83] every entry is a common password, also in upper case', () => {
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
])('[I83] %s is a common password', (password) => {
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
])('[I83] %s is not a common password', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});
