import { expect, test } from 'vitest';
import { initialsOf } from './account-initials.tsx';

test.each([
  ['Alice Martin', 'AM'],
  ['alice.martin@example.com', 'AM'],
  ['bob@example.org', 'B'],
  ['Anna Maria Schmidt', 'AM'],
  ['ليلى حسن', 'لح'],
  ['𠮷野 家', '𠮷家'],
  ["o'brien", 'O'],
  ['+442079460123', '4'],
  ['…', ''],
])('[C741] the initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
