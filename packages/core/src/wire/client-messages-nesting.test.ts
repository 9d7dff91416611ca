import { expect, test } from 'vitest';
import { isNestedDeeperThan } from './client-messages.ts';

function nested(levels: number, open: string, close: string): unknown {
  return JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`);
}

test.each([1, 'text', null, true, undefined, 5n])('[W122] %s has no level', (json) => {
  expect(isNestedDeeperThan(json, 0)).toBe(false);
});

test.each([
  ['{"a":', '}'],
  ['[', ']'],
  ['[{"b":2,"a":', '}]'],
])('[W122] levels of %s are counted', (open, close) => {
  const levels = 16 * (open.startsWith('[{') ? 2 : 1);
  const json = nested(16, open, close);
  expect(isNestedDeeperThan(json, levels)).toBe(false);
  expect(isNestedDeeperThan(json, levels - 1)).toBe(true);
  expect(isNestedDeeperThan(nested(100_000, open, close), 32)).toBe(true);
});
