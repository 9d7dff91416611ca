import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonText } from './json-text.ts';

test.each<[string, unknown]>([
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', 9007199254740992n],
  ['9007199254740993', 9007199254740993n],
  ['-9007199254740993', -9007199254740993n],
  ['9223372036854775807', 9223372036854775807n],
  ['-9223372036854775808', -9223372036854775808n],
  ['[1,9223372036854775806]', [1, 9223372036854775806n]],
  ['{"a":{"b":1234567890123456789}}', { a: { b: 1234567890123456789n } }],
  ['"9007199254740993"', '9007199254740993'],
  ['{"9007199254740993":"1"}', { '9007199254740993': '1' }],
])('[T16] %s is parsed exactly', (text, value) => {
  expect(parseJsonText(text)).toEqual(value);
});

test.each<[string, number]>([
  ['9223372036854775808', 2 ** 63],
  ['-9223372036854775809', -(2 ** 63)],
  ['100000000000000000000000000000', 1e29],
  ['1234567890123456.5', 1234567890123456 + 0.5],
  ['0.12345678901234567', Number('0.12345678901234567')],
  ['1234567890123456e10', Number('1234567890123456e10')],
])('[T18] %s becomes a double', (text, value) => {
  expect(parseJsonText(text)).toBe(value);
});

test('[T19] an integer of two million digits is parsed as a double', () => {
  expect(parseJsonText('9'.repeat(2_000_000))).toBe(Number.POSITIVE_INFINITY);
});

test('[T4] a key named __proto__ is an ordinary key, with and without long numbers next to it', () => {
  for (const text of ['{"__proto__":1}', '{"__proto__":1,"n":1234567890123456789}']) {
    const value = parseJsonText(text);
    expect(Object.entries(value ?? {})[0]).toEqual(['__proto__', 1]);
  }
});

test.each([
  '',
  '{',
  '[1,]',
  '01',
  '1.',
  '.5',
  'NaN',
  'Infinity',
  "'a'",
  '{a:1}',
  '1 2',
  '\u00a01',
  '"\n"',
  '"\\x41"',
  '{"\\x":1}',
  '{"\\"":1',
  '{"a\\":1}',
  '{"\\"":"\n"}',
])('[T47] %j is not JSON', (text) => {
  expect(() => parseJsonText(text)).toThrow(SyntaxError);
});

test('[T47] nesting that exhausts the stack is rejected as invalid JSON', () => {
  const deep = `${'['.repeat(200_000)}1234567890123456789${']'.repeat(200_000)}`;
  expect(() => parseJsonText(deep)).toThrow(SyntaxError);
});

test('[T3] keys with escape sequences stay different, whatever was parsed before', () => {
  // The plain `JSON.parse` of some engines reads the second key as the first.
  for (const [first, second] of [
    ['\\', '"'],
    ['b\\', 'b"'],
    ['é\\', 'é"'],
    ['\\', '%'],
    ['%005c', '\\'],
  ])
    for (const digits of ['', ',"n":1234567890123456789']) {
      const texts = [first, second].map((key) => `{"a":1,${JSON.stringify(key)}:2${digits}}`);
      const keys = texts.map((text) => Object.keys(parseJsonText(text) ?? {})[1]);
      expect(keys).toEqual([first, second]);
    }
});

test.each<[string, unknown]>([
  ['{"\\u0061":1,"b":"\\"c\\":"}', { a: 1, b: '"c":' }],
  ['{ "\\"" \t\n\r: "\\\\" , "%0022" : [ { "\\/" : 1 } ] }', { '"': '\\', '%0022': [{ '/': 1 }] }],
  ['{"\\"":1,"\\u0022":2}', { '"': 2 }],
  ['{"\\ud83d\\ude00":{"\\ud83d":1}}', { '\ud83d\ude00': { '\ud83d': 1 } }],
  ['["\\"", "a\\\\", {"":"\\n"}]', ['"', 'a\\', { '': '\n' }]],
])('[T3] %s keeps its keys', (text, value) => {
  expect(parseJsonText(text)).toEqual(value);
});

test('[T16] other values are parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      // The long number makes the parser keep integers exact.
      expect(parseJsonText(`[${text},1234567890123456789]`)).toEqual([
        withExactIntegers(value),
        1234567890123456789n,
      ]);
      expect(JSON.stringify(parseJsonText(`{"a":${text}}`), plainNumber)).toBe(`{"a":${text}}`);
    }),
  );
});

/** Returns the value with bigints where `parseJsonText` produces them. */
function withExactIntegers(value: unknown): unknown {
  if (typeof value === 'number')
    return isExactInteger(value) ? BigInt(JSON.stringify(value)) : value === 0 ? 0 : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withExactIntegers);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withExactIntegers(item)]));
}

function isExactInteger(value: number): boolean {
  return (
    !Number.isSafeInteger(value) &&
    /^-?[0-9]{16,19}$/.test(JSON.stringify(value)) &&
    Math.abs(value) < 2 ** 63
  );
}

function plainNumber(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

const LONG = 17_000;

/** Returns an object of `count` keys that differ only at their end. */
function longKeys(count: number, unit: string, value: string): string {
  const start = unit.repeat(LONG / unit.length);
  const keys = Array.from({ length: count }, (_, index) => `"${start}${index + 1000}" : ${value}`);
  return `{${keys.join()}}`;
}

test.each(['k', '\\"', '\\\\', '\u0061', 'é'])(
  '[T49] an object with many long keys of %j is rejected, because the engine would compare all pairs of them',
  (unit) => {
    expect(() => parseJsonText(longKeys(200, unit, '1'))).toThrow('too many long keys');
    expect(() => parseJsonText(`[${longKeys(200, unit, '"\\\\"')}]`)).toThrow('too many long keys');
    expect(Object.keys(Object(parseJsonText(longKeys(80, unit, '1'))))).toHaveLength(80);
  },
);

test.each(['v', '\\"', '\\\\'])('[T49] long values of %j do not count as keys', (unit) => {
  const value = `"${unit.repeat(LONG / 2)}"`;
  const list = parseJsonText(`[${Array.from({ length: 200 }, () => value).join()},{"a":${value}}]`);
  expect(list).toHaveLength(201);
});
