import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeatsMember } from './body.ts';

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, member) => sum + countMembers(member), own);
}

const repeats = (text: string): boolean => repeatsMember(text, countMembers(JSON.parse(text)));

test.each([
  '{"a":1,"a":1}',
  '{"a":1,"b":2,"a":3}',
  '{"a":{"b":1,"b":2}}',
  '[{"a":[{"b":null,"b" :null}]}]',
  '{"a":1,"\\u0061":2}',
  '{"a\\"":1,"a\\"":2}',
  '{"\\\\":1,"\\\\"\n:2}',
  '{"":1,"":2}',
  '{"__proto__":1,"__proto__":2}',
])('[I668] %s has the same member twice', (text) => {
  expect(repeats(text)).toBe(true);
});

test.each([
  '{}',
  '[]',
  '"a:a"',
  '{"a":"\\"a\\":1"}',
  '{"a":":","b":"a"}',
  '{"a":1,"A":1}',
  '[{"a":1},{"a":1}]',
])('[I668] %s has no duplicate member', (text) => {
  expect(repeats(text)).toBe(false);
});

test('[I668] no text that JSON.stringify writes has a duplicate member', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      expect(repeats(JSON.stringify(value, null, space))).toBe(false);
    }),
  );
});
