import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonText } from '../tree/json-text.ts';
import { parseNamedQuery, parseQuery } from './fields.ts';
import { queryJsonArbitrary } from './query.arbitrary.ts';

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['{"ep":5,"i":".value","l":3,"vf":"l"}', { vf: 'l', l: 3, i: '.value', ep: 5 }],
  ['{"l":null,"sin":true,"vf":"r"}', { l: null, vf: 'r', sin: true }],
  ['{"sn":"k","sp":9007199254740993}', { sp: 9007199254740993n, sn: 'k' }],
  ['{"i":"n"}', { i: 'n', junk: 'x'.repeat(100_000), L: 1, '': [] }],
  ['{}', {}],
])('[Q25] the canonical text of a query is %s', (text, json) => {
  expect(parseNamedQuery(json)).toEqual({ query: parseQuery(json), text });
});

test('[Q25] the canonical text ignores the order of fields and unknown fields, and parses to the same query', () => {
  const junk = fc.dictionary(fc.constantFrom('x', 'c', 'q', 'lim'), fc.jsonValue());
  fc.assert(
    fc.property(queryJsonArbitrary, junk, (fields, more) => {
      const { text, query } = parseNamedQuery(fields);
      const others = Object.fromEntries(Object.entries({ ...more, ...fields }).reverse());
      expect(parseNamedQuery(others).text).toBe(text);
      expect(parseNamedQuery(parseJsonText(text))).toEqual({ query, text });
    }),
  );
});

test('[Q25] an unknown field may be nested to any depth', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  expect(parseNamedQuery({ i: 'n', x: deep }).text).toBe('{"i":"n"}');
});

test.each(['sp', 'ep'])(
  '[Q27] a query text with a long "%s" may have 65,536 characters, but not more',
  (name) => {
    const units = 65_536 - `{"${name}":""}`.length;
    expect(parseNamedQuery({ [name]: 'x'.repeat(units) }).text.length).toBe(65_536);
    expect(() => parseNamedQuery({ [name]: 'x'.repeat(units + 1) })).toThrow(
      expect.objectContaining({ code: 'query/invalid' }),
    );
  },
);
