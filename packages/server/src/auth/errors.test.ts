import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AUTH_ERRORS } from './errors.ts';

const REFERENCE = new URL('../../../../docs/reference/auth-errors.md', import.meta.url);
const rows = readFileSync(REFERENCE, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('[I510] the reference lists all error codes, in the order of the table, each with a meaning', () => {
  expect(rows.map(([, code, http]) => `${code} ${http}`)).toEqual(
    Object.entries(AUTH_ERRORS).map(([code, { http }]) => `\`${code}\` ${http}`),
  );
  for (const [, , , meaning] of rows) expect(meaning).toMatch(/^.{10,}$/);
});

// Clients split a message at its first colon, and show only the text after it.
test.each(Object.keys(AUTH_ERRORS))('[I510] %s is in capital letters and underscores', (code) => {
  expect(code).toMatch(/^[A-Z][A-Z_]*$/);
});
