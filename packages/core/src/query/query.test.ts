import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RequestError } from '../error/request-error.ts';
import { parseNodeJson } from '../tree/node-json.ts';
import { OBJECT } from '../tree/order.ts';
import { parseQuery } from './fields.ts';
import { queryArbitrary } from './query.arbitrary.ts';
import { childIndexValue, compareEntries, indexName, isUnfiltered, MAX_KEY, MIN_KEY } from './query.ts';

describe('index', () => {
  test.each<[unknown, unknown, string]>([
    [undefined, { kind: 'priority' }, '.priority'],
    [null, { kind: 'priority' }, '.priority'],
    ['.priority', { kind: 'priority' }, '.priority'],
    ['.key', { kind: 'key' }, '.key'],
    ['.value', { kind: 'value' }, '.value'],
    ['height', { kind: 'child', path: ['height'] }, 'height'],
    ['/height', { kind: 'child', path: ['height'] }, 'height'],
    ['a/b/c', { kind: 'child', path: ['a', 'b', 'c'] }, 'a/b/c'],
    ['__proto__', { kind: 'child', path: ['__proto__'] }, '__proto__'],
  ])('[Q1] the field `i` %j is parsed as the index %j with the name %s', (i, index, name) => {
    const query = parseQuery(i === undefined ? {} : { i });
    expect(query.index).toEqual(index);
    expect(indexName(query.index)).toBe(name);
  });

  test.each([
    ['', 'query/invalid'],
    ['/', 'query/invalid'],
    [1, 'query/invalid'],
    [true, 'query/invalid'],
    [{}, 'query/invalid'],
    [['a'], 'query/invalid'],
    ['.foo', 'path/invalid'],
    ['a/.priority', 'path/invalid'],
    ['$key', 'path/invalid'],
    ['a#', 'path/invalid'],
    ['x/'.repeat(33), 'path/too-deep'],
    ['x'.repeat(769), 'key/too-long'],
  ])('[Q9] the index %j is rejected', (i, code) => {
    expect(() => parseQuery({ i })).toThrow(expect.objectContaining({ code }));
  });
});

describe('bounds', () => {
  test.each([null, false, true, 0, -1.5, '', 'text', 2n ** 63n - 1n])(
    '[Q2] the bound %s is accepted',
    (value) => {
      expect(parseQuery({ i: 'n', sp: value }).lower).toEqual({ value, key: MIN_KEY, isInclusive: true });
      expect(parseQuery({ i: 'n', ep: value }).upper).toEqual({ value, key: MAX_KEY, isInclusive: true });
    },
  );

  test('[Q2] a query without `sp` and `ep` has no bounds, even with keys of bounds', () => {
    expect(parseQuery({ i: 'n' })).toMatchObject({ lower: null, upper: null });
    expect(parseQuery({ i: 'n', sn: 'a', sin: false, en: 'b', ein: false })).toMatchObject({
      lower: null,
      upper: null,
    });
  });

  test('[Q2] numbers in bounds have the same canonical form as in data', () => {
    expect(parseQuery({ sp: -0 }).lower?.value).toBe(0);
    expect(parseQuery({ sp: 2 ** 60 }).lower?.value).toBe(2n ** 60n);
    expect(parseQuery({ sp: 5n }).lower?.value).toBe(5);
  });

  test.each([
    [{ sp: 1 }, 'lower', { value: 1, key: MIN_KEY, isInclusive: true }],
    [{ sp: 1, sin: false }, 'lower', { value: 1, key: MAX_KEY, isInclusive: false }],
    [{ ep: 1 }, 'upper', { value: 1, key: MAX_KEY, isInclusive: true }],
    [{ ep: 1, ein: false }, 'upper', { value: 1, key: MIN_KEY, isInclusive: false }],
    [{ sp: 1, sn: null }, 'lower', { value: 1, key: MIN_KEY, isInclusive: true }],
    [{ sp: 1, sn: 'k' }, 'lower', { value: 1, key: 'k', isInclusive: true }],
    [{ ep: 1, en: 'k', ein: false }, 'upper', { value: 1, key: 'k', isInclusive: false }],
  ] as const)('[Q3][Q4] the fields %j give the %s bound %j', (fields, side, bound) => {
    expect(parseQuery(fields)[side]).toEqual(bound);
  });

  test.each([undefined, null, true])('[Q4] a bound with the flag %s is inclusive', (flag) => {
    expect(parseQuery({ sp: 1, sin: flag }).lower?.isInclusive).toBe(true);
    expect(parseQuery({ ep: 1, ein: flag }).upper?.isInclusive).toBe(true);
  });

  test('[Q5] the sentinels sort below and above every key', () => {
    const query = parseQuery({ sp: 1, sn: '[MAX_NAME]', sin: false, ep: 9, en: '[MIN_NAME]', ein: false });
    expect(query.lower).toEqual({ value: 1, key: MAX_KEY, isInclusive: false });
    expect(query.upper).toEqual({ value: 9, key: MIN_KEY, isInclusive: false });
    for (const key of ['-2147483648', '2147483647', '', '\u0001', '\uffff', 'z'.repeat(786)]) {
      expect(compareEntries({ value: 1, key: MIN_KEY }, { value: 1, key })).toBe(-1);
      expect(compareEntries({ value: 1, key }, { value: 1, key: MAX_KEY })).toBe(-1);
    }
    expect(compareEntries({ value: 1, key: MIN_KEY }, { value: 1, key: MAX_KEY })).toBe(-1);
    expect(compareEntries({ value: 1, key: MAX_KEY }, { value: 2, key: MIN_KEY })).toBe(-1);
    expect(compareEntries({ value: 1, key: MAX_KEY }, { value: 1, key: MAX_KEY })).toBe(0);
  });

  test.each(['', `a${'z'.repeat(785)}`, 'é'.repeat(400), '-'])(
    '[Q6] the bound key %.8j is accepted',
    (key) => {
      expect(parseQuery({ sp: 1, sn: key }).lower?.key).toBe(key);
      expect(parseQuery({ i: '.key', ep: key }).upper?.key).toBe(key);
    },
  );

  test.each(['a.b', 'a/b', '[', '[MIN_NAME', '[min_name]', '\n', '$'])(
    '[Q6] the bound key %j is rejected',
    (key) => {
      for (const fields of [
        { sp: 1, sn: key },
        { ep: 1, en: key },
        { i: '.key', sp: key },
        { i: '.key', ep: key },
      ])
        expect(() => parseQuery(fields)).toThrow(expect.objectContaining({ code: 'key/invalid' }));
    },
  );

  test.each<[Readonly<Record<string, unknown>>]>([
    [{ sp: {} }],
    [{ sp: [] }],
    [{ sp: undefined }],
    [{ ep: { '.sv': 'timestamp' } }],
    [{ sp: Number.POSITIVE_INFINITY }],
    [{ ep: Number.NaN }],
    [{ sp: 1, sn: 1 }],
    [{ sp: 1, sn: {} }],
    [{ sn: {} }],
    [{ ein: [] }],
    [{ i: '.key', sp: 'a', sn: { deep: {} } }],
    [{ ep: 1, en: false }],
    [{ sp: 1, sin: 'false' }],
    [{ sp: 1, sin: 0 }],
    [{ ep: 1, ein: {} }],
    [{ i: '.key', sp: null }],
    [{ i: '.key', sp: 1 }],
    [{ i: '.key', ep: true }],
    [{ i: '.key', ep: ['a'] }],
  ])('[Q2][Q9] %j is rejected', (fields) => {
    expect(() => parseQuery(fields)).toThrow(expect.objectContaining({ code: 'query/invalid' }));
  });

  test('[Q11] a query by key has the keys of its bounds in `sp` and `ep`, and ignores `sn` and `en`', () => {
    expect(parseQuery({ i: '.key', sp: 'b', sn: 5, sin: false, ep: '10', en: 'x' })).toMatchObject({
      lower: { value: null, key: 'b', isInclusive: false },
      upper: { value: null, key: '10', isInclusive: true },
    });
  });
});

describe('limit', () => {
  test.each([
    [{}, null, 'right'],
    [{ l: null }, null, 'right'],
    [{ l: 1, vf: 'l' }, 1, 'left'],
    [{ l: 1, vf: 'r' }, 1, 'right'],
    [{ l: 2 ** 31, vf: 'r', sp: 1 }, 2 ** 31, 'right'],
    [{ l: 5 }, 5, 'right'],
    [{ l: 5, vf: null, ep: 1 }, 5, 'right'],
    [{ l: 5, sp: 1 }, 5, 'left'],
    [{ l: 5, sp: null }, 5, 'left'],
    [{ l: 5, sp: 1, ep: 2 }, 5, 'left'],
  ])('[Q7][Q8] the fields %j give the limit %s from the %s', (fields, limit, from) => {
    expect(parseQuery(fields)).toMatchObject({ limit, from });
  });

  test.each<[Readonly<Record<string, unknown>>]>([
    [{ l: 0 }],
    [{ l: -1 }],
    [{ l: 1.5 }],
    [{ l: '1' }],
    [{ l: true }],
    [{ l: {} }],
    [{ l: 2 ** 60 }],
    [{ l: 2n ** 60n }],
    [{ l: Number.POSITIVE_INFINITY }],
    [{ l: 1, vf: 'x' }],
    [{ l: 1, vf: '' }],
    [{ l: 1, vf: 1 }],
    [{ vf: 'left' }],
  ])('[Q7][Q9] %o is rejected', (fields) => {
    expect(() => parseQuery(fields)).toThrow(expect.objectContaining({ code: 'query/invalid' }));
  });
});

test.each([undefined, null, 1, 'q', true, [], [{ l: 1 }]])('[Q9] %j is rejected as a query', (json) => {
  expect(() => parseQuery(json)).toThrow(expect.objectContaining({ code: 'query/invalid' }));
});

test('[Q9] unknown fields are ignored', () => {
  expect(parseQuery({ i: 'n', x: { y: 1 }, __proto__: null, c: 1 })).toEqual(parseQuery({ i: 'n' }));
});

test.each([
  [{}, true],
  [{ i: 'n' }, true],
  [{ l: null, vf: 'l' }, true],
  [{ l: 1 }, false],
  [{ sp: null }, false],
  [{ ep: 1 }, false],
])('[Q10] the query %j selects every child: %s', (fields, expected) => {
  expect(isUnfiltered(parseQuery(fields))).toBe(expected);
});

test.each([
  ['.key', '{".value":1,".priority":2}', null],
  ['.value', '{".value":1,".priority":2}', 1],
  ['.value', '{"n":1}', OBJECT],
  ['.priority', '{".value":1,".priority":2}', 2],
  ['.priority', '{"n":1,".priority":"p"}', 'p'],
  ['.priority', '1', null],
  ['n', '{"n":5}', 5],
  ['n', '{"n":{".value":5,".priority":9}}', 5],
  ['n', '{"n":{"m":1}}', OBJECT],
  ['n', '{"m":5}', null],
  ['n', '5', null],
  ['n/m', '{"n":{"m":"deep"}}', 'deep'],
  ['n/m', '{"n":5}', null],
  ['n/m', '{"n":{"x":5}}', null],
])('[Q12][Q13][Q14] in the index %s, the child %s has the index value %s', (i, child, value) => {
  const node = parseNodeJson(child);
  expect(node && childIndexValue(node, parseQuery({ i }).index)).toBe(value);
});

test('[Q9][T47] arbitrary JSON gives a query or a request error', () => {
  const field = fc.constantFrom('i', 'sp', 'sn', 'sin', 'ep', 'en', 'ein', 'l', 'vf', '__proto__');
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      1,
      0,
      'l',
      'r',
      '.key',
      '.value',
      'a',
      'a/b',
      '[MIN_NAME]',
      5n,
    ),
    fc.jsonValue(),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(field, value), fc.jsonValue()), (json) => {
      try {
        parseQuery(json);
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
      }
    }),
    { numRuns: 1000 },
  );
});

test('[Q1][Q2][Q7] every query that a client sends is accepted', () => {
  fc.assert(
    fc.property(queryArbitrary, (query) => {
      expect(query.limit === null || query.limit > 0).toBe(true);
    }),
  );
});
