import { expect, test } from 'vitest';
import { maskEmail } from './code.ts';

test.each([
  ['alice@example.com', 'a•••e@example.com'],
  ['bob@example.com', 'b•••@example.com'],
  ['x@example.com', 'x•••@example.com'],
  ['"a@b"@example.com', '"•••"@example.com'],
  ['😀lice@example.com', '😀•••e@example.com'],
  ['@example.com', '•••'],
  ['', '•••'],
])('[I161] %j is shown as %s', (email, shown) => {
  expect(maskEmail(email)).toBe(shown);
});
