import { expect, test } from 'vitest';
import { parseQuery } from '../../query/fields.ts';
import { NO_QUERY, PLAIN_REST_QUERY, queryVariables } from './scope.ts';

const BY_PRIORITY = { orderByPriority: true };

test.each([
  [{ i: '.key' }, { orderByKey: true }],
  [{ i: '.value' }, { orderByValue: true }],
  [{ i: '.priority' }, BY_PRIORITY],
  [{}, BY_PRIORITY],
  [{ i: 'owner' }, { orderByChild: 'owner' }],
  [{ i: '/a//b/' }, { orderByChild: 'a/b' }],
  [
    { l: 3, vf: 'l' },
    { ...BY_PRIORITY, limitToFirst: 3 },
  ],
  [
    { l: 3, vf: 'r' },
    { ...BY_PRIORITY, limitToLast: 3 },
  ],
])('[R122] rules see the query %j as %j', (json, expected) => {
  expect(queryVariables(parseQuery(json))).toEqual({ ...NO_QUERY, ...expected });
});

test.each([
  [{ sp: 1 }, { startAt: 1 }],
  [{ sp: 'a', sin: false, sn: '[MAX_NAME]' }, { startAt: 'a' }],
  [{ ep: true }, { endAt: true }],
  [{ ep: 2, ein: false }, { endAt: 2 }],
  [{ sp: null }, {}],
  [{ sp: 2n ** 60n }, { startAt: 2 ** 60 }],
  [
    { sp: 1, ep: 2 },
    { startAt: 1, endAt: 2 },
  ],
])('[R122] rules see the bounds of %o as %j', (json, expected) => {
  expect(queryVariables(parseQuery({ i: '.value', ...json }))).toEqual({
    ...NO_QUERY,
    orderByValue: true,
    ...expected,
  });
});

test.each([
  [{ i: '.key', sp: 'a' }, { startAt: 'a' }],
  [
    { i: '.key', sp: 'a', ep: 'b' },
    { startAt: 'a', endAt: 'b' },
  ],
  [
    { i: '.key', sp: 'a', ep: 'a' },
    { startAt: 'a', endAt: 'a', equalTo: 'a' },
  ],
  [{ i: '.key', sp: '[MIN_NAME]', ep: '[MAX_NAME]' }, {}],
])('[R122] rules see the key bounds of %j as %j', (json, expected) => {
  expect(queryVariables(parseQuery(json))).toEqual({ ...NO_QUERY, orderByKey: true, ...expected });
});

test.each([
  [{ sp: 1, ep: 1 }, 1],
  [{ sp: 'a', ep: 'a' }, 'a'],
  [{ sp: false, sn: 'k', ep: false, en: 'k' }, false],
  [{ sp: 1, sn: 'k', ep: 1 }, null],
  [{ sp: 1, ep: 1, sin: false }, null],
  [{ sp: 1, ep: 1, ein: false }, null],
  [{ sp: 1, ep: '1' }, null],
  [{ sp: 1 }, null],
])('[R123] with the bounds %j, equalTo is %j', (json, expected) => {
  expect(queryVariables(parseQuery({ i: 'n', ...json })).equalTo).toBe(expected);
});

test('[R124] a read without a query has empty query variables, and over REST only orderByKey is set', () => {
  expect(queryVariables(null)).toBe(NO_QUERY);
  expect(Object.values(NO_QUERY).filter((value) => value !== null && value !== false)).toEqual([]);
  expect(PLAIN_REST_QUERY).toEqual({ ...NO_QUERY, orderByKey: true });
});
