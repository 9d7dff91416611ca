import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, parseJsonText } from './json-text.ts';

test.each<[string, unknown]>([
  ['{"ep":5,"i":".value","l":3,"vf":"l"}', { vf: 'l', l: 3, i: '.value', ep: 5 }],
  ['{"a":"\\"","b":{"c":[2,{"e":null,"f":1}],"d":1}}', { b: { d: 1, c: [2, { f: 1, e: null }] }, a: '"' }],
  ['{"sp":9007199254740993}', { sp: 9007199254740993n }],
  ['{}', {}],
  ['null', null],
])('[Q25] the canonical text of a value is %s', (text, json) => {
  expect(canonicalJson(json)).toBe(text);
});

test('[Q25] the order of fields has no effect on the text', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
      const text = canonicalJson(fields);
      expect(canonicalJson(Object.fromEntries(Object.entries(fields).reverse()))).toBe(text);
      expect(canonicalJson(parseJsonText(text))).toBe(text);
    }),
  );
});
