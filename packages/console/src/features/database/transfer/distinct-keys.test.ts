import { expect, test } from 'vitest';
import { KeyTwice, requireDistinctKeys } from './distinct-keys.ts';

test.each([
  ['{"a":1,\n"b":{"a":2},\n"a":3}', 'a', 3],
  ['{"x":[{"k":1,"k"\n:2}]}', 'k', 1],
  ['{"\\u0061":1,"a":2}', 'a', 1],
  ['{"__proto__":1,\n\n"__proto__":2}', '__proto__', 3],
])('[C702] the text %j has a key twice', (text, key, line) => {
  expect(() => requireDistinctKeys(text)).toThrow(KeyTwice);
  try {
    requireDistinctKeys(text);
  } catch (error) {
    expect(error).toMatchObject({ key, line });
  }
});

test('[C702] long strings with many escape sequences are scanned', () => {
  const long = JSON.stringify({ a: '\\"'.repeat(2_000_000), b: 'x'.repeat(8_000_000) });
  expect(() => requireDistinctKeys(long)).not.toThrow();
  expect(() => requireDistinctKeys(`${long.slice(0, -1)},"b":1}`)).toThrow(KeyTwice);
});

test.each(['5', '"{\\"a\\":1,\\"a\\":2}"', '{"a":{"a":"a"},"b":["a","a"],"c":"\\\\"}', '[{"a":1},{"a":1}]'])(
  '[C702] the text %j has no key twice',
  (text) => {
    expect(() => requireDistinctKeys(text)).not.toThrow();
  },
);
