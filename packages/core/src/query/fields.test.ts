import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseNamedQuery, parseQuery, queryFields } from './fields.ts';
import { queryArbitrary } from './query.arbitrary.ts';

test('[H155] `parseQuery` returns the query from which `queryFields` made the fields', () => {
  fc.assert(
    fc.property(queryArbitrary, (query) => {
      expect(parseQuery(queryFields(query))).toEqual(query);
    }),
  );
});

test.each([
  [{ i: '.key', l: 2, vf: 'l' }],
  [{ i: 'n', sp: 1, ep: 1, vf: 'l' }],
  [{ i: 'n', sp: 1, sn: 'k', sin: false, vf: 'l' }],
  [{ l: 10, vf: 'r' }],
])('[H155] `queryFields` returns the fields that the client sent: %j', (fields) => {
  expect(parseNamedQuery(queryFields(parseQuery(fields))).text).toBe(parseNamedQuery(fields).text);
});
