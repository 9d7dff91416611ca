import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, parseJsonText } from './json-text.ts';

test.each<[unknown, string]>([
  [{ vf: 'l', l: 3, i: '.value', ep: 5 }, '{"ep":5,"i":".value","l":3,"vf":"l"}'],
  [{ b: { d: 1, c: [2, { f: 1, e: null }] }, a: '"' }, '{"a":"\\"","b":{"c":[2,{"e":null,"f":1}],"d":1}}'],
  [{ sp: 9007199254740993n }, '{"sp":9007199254740993}'],
  [{}, '{}'],
  [null, 'null'],
])('[Q25] %s', (json, text) => {
  expect(canonicalJson(json)).toBe(text);
});

test('[Q25] only the order of fields has no effect on the text', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
      const text = canonicalJson(fields);
      expect(canonicalJson(Object.fromEntries(Object.entries(fields).reverse()))).toBe(text);
      expect(canonicalJson(parseJsonText(text))).toBe(text);
    }),
  );
});
