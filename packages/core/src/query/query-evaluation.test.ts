import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashNode } from '../tree/digest.ts';
import { nodesOf } from '../tree/node.arbitrary.ts';
import { exportJson, parseNodeJson } from '../tree/node-json.ts';
import { parseQuery } from './fields.ts';
import { queryArbitrary } from './query.arbitrary.ts';
import { childIndexValue, compareEntries, type Entry, evaluateQuery, isInRange, queryView } from './query.ts';

/** Returns the keys that a query selects, joined by spaces. */
function shown(query: Readonly<Record<string, unknown>>, data: string): string {
  return evaluateQuery(parseQuery(query), parseNodeJson(data))
    .map(({ key }) => key)
    .join(' ');
}

const KEYS = '{"-5":1,"9":1,"10":1,"010":1,"2147483648":1,"a":1,"ab":1,"b":1,"z":1}';
const VALUES =
  '{"a":true,"b":false,"c":5,"d":-1,"e":"x","f":"abc","g":{"n":1},"h":5,"i":{"n":0},"10":5,"9":5}';
const PRIORITIES =
  '{"a":1,"b":{".value":1,".priority":5},"c":{".value":1,".priority":"x"},"d":{".value":1,".priority":-2},"e":{"n":1,".priority":5},"f":2}';
const CHILDREN =
  '{"a":{"n":2},"b":{"n":1},"c":{"n":"s"},"d":{"m":1},"e":7,"f":{"n":{"x":1}},"g":{"n":true},"h":{"n":{".value":1,".priority":0}}}';

test.each([
  [{}, '-5 9 10 010 2147483648 a ab b z'],
  [{ sp: '9' }, '9 10 010 2147483648 a ab b z'],
  [{ sp: '9', sin: false }, '10 010 2147483648 a ab b z'],
  [{ ep: '10' }, '-5 9 10'],
  [{ ep: '10', ein: false }, '-5 9'],
  [{ sp: '10', ep: 'ab' }, '10 010 2147483648 a ab'],
  [{ sp: '1', ep: '9' }, '9'],
  [{ sp: 'a', ep: 'a' }, 'a'],
  [{ sp: 'c', ep: 'a' }, ''],
  [{ sp: 'aa', ep: 'zz' }, 'ab b z'],
  [{ sp: '[MIN_NAME]', ep: '[MAX_NAME]' }, '-5 9 10 010 2147483648 a ab b z'],
  [{ sp: '[MAX_NAME]' }, ''],
  [{ sp: '2147483647' }, '2147483648 a ab b z'],
  [{ sp: '' }, '2147483648 a ab b z'],
  [{ sp: 'a', sn: 'zzz', ep: 'b', en: '0' }, 'a ab b'],
  // Mobile clients send these neighbor keys to start after "a" and after "2147483647", and to end before "b".
  [{ sp: 'a-' }, 'ab b z'],
  [{ sp: '-' }, '2147483648 a ab b z'],
  [{ ep: `a${'z'.repeat(785)}` }, '-5 9 10 010 2147483648 a ab'],
])('[Q11] a query by key with %j selects %j', (fields, keys) => {
  expect(shown({ i: '.key', ...fields }, KEYS)).toBe(keys);
});

test.each([
  [{}, 'b a d 9 10 c h f e g i'],
  [{ sp: 5, ep: 5 }, '9 10 c h'],
  [{ sp: 5, ep: 5, sn: 'c', en: 'c' }, 'c'],
  [{ sp: false, ep: true }, 'b a'],
  [{ sp: true }, 'a d 9 10 c h f e g i'],
  [{ ep: 'abc' }, 'b a d 9 10 c h f'],
  [{ sp: 'b', ep: '\uf8ff' }, 'e'],
  [{ sp: null, ep: null }, ''],
])('[Q12] a query by value with %j selects %j', (fields, keys) => {
  expect(shown({ i: '.value', ...fields }, VALUES)).toBe(keys);
});

test.each([
  [{}, 'a f d b e c'],
  [{ sp: null }, 'a f d b e c'],
  [{ sp: null, ep: null }, 'a f'],
  [{ sp: -2 }, 'd b e c'],
  [{ sp: 5, ep: 5 }, 'b e'],
  [{ sp: 5, ep: 5, sn: 'c' }, 'e'],
  [{ sp: 'a' }, 'c'],
  [{ ep: 1e308 }, 'a f d b e'],
])('[Q13] a query by priority with %j selects %j', (fields, keys) => {
  expect(shown(fields, PRIORITIES)).toBe(keys);
  expect(shown({ i: '.priority', ...fields }, PRIORITIES)).toBe(keys);
});

test.each([
  [{}, 'd e g b h a c f'],
  [{ sp: 1, ep: 1 }, 'b h'],
  [{ sp: 1, ep: 2 }, 'b h a'],
  [{ sp: true }, 'g b h a c f'],
  [{ sp: 'a' }, 'c f'],
])('[Q14] a query by a child with %j selects %j', (fields, keys) => {
  expect(shown({ i: 'n', ...fields }, CHILDREN)).toBe(keys);
});

test('[Q14] a child path that ends at a leaf or at a missing node has the index value null', () => {
  const data = '{"a":{"n":{"m":2}},"b":{"n":1},"c":{"n":{"m":1}},"d":{"x":1},"e":true}';
  expect(shown({ i: 'n/m' }, data)).toBe('b d e c a');
  expect(shown({ i: 'n/m', sp: 1 }, data)).toBe('c a');
});

test.each([
  [{ sp: 5 }, '9 10 c h f e g i'],
  [{ sp: 5, sin: false }, 'f e g i'],
  [{ sp: 5, sn: '[MAX_NAME]', sin: false }, 'f e g i'],
  [{ sp: 5, sn: '[MAX_NAME]' }, 'f e g i'],
  [{ sp: 5, sn: '10', sin: false }, 'c h f e g i'],
  [{ sp: 5, sn: '10' }, '10 c h f e g i'],
  [{ ep: 5 }, 'b a d 9 10 c h'],
  [{ ep: 5, ein: false }, 'b a d'],
  [{ ep: 5, en: '[MIN_NAME]', ein: false }, 'b a d'],
  [{ ep: 5, en: '[MIN_NAME]' }, 'b a d'],
  [{ ep: 5, en: 'c', ein: false }, 'b a d 9 10'],
  [{ ep: 5, en: 'c' }, 'b a d 9 10 c'],
  // Mobile clients send these bounds to start after "10" and to end before "c".
  [{ sp: 5, sn: '11' }, 'c h f e g i'],
  [{ ep: 5, en: `b${'z'.repeat(785)}` }, 'b a d 9 10'],
  [{ ep: 5, en: '' }, 'b a d 9 10'],
])('[Q3][Q5][Q6][Q15] the bounds %j on values select %j', (fields, keys) => {
  expect(shown({ i: '.value', ...fields }, VALUES)).toBe(keys);
});

test('[Q16] bounds of null select the children without an index value, and an exclusive start of null selects all others', () => {
  expect(shown({ i: 'n', sp: null, ep: null }, CHILDREN)).toBe('d e');
  expect(shown({ sp: null, ep: null }, PRIORITIES)).toBe('a f');
  expect(shown({ i: 'n', sp: null, sin: false }, CHILDREN)).toBe('g b h a c f');
});

test('[Q17] objects sort after every string', () => {
  expect(shown({ i: 'n', sp: '\uffff'.repeat(3) }, CHILDREN)).toBe('f');
  expect(shown({ i: 'n', ep: '\uffff'.repeat(3) }, CHILDREN)).toBe('d e g b h a c');
});

test.each([
  [{ l: 2, vf: 'l' }, 'd e'],
  [{ l: 2, vf: 'r' }, 'c f'],
  [{ l: 1, vf: 'r', ep: 2 }, 'a'],
  [{ l: 2, vf: 'r', ep: 2 }, 'h a'],
  [{ l: 2, vf: 'l', sp: 1 }, 'b h'],
  [{ l: 2, vf: 'r', sp: 1 }, 'c f'],
  [{ l: 2, vf: 'l', sp: 1, ep: 1 }, 'b h'],
  [{ l: 2, sp: 1 }, 'b h'],
  [{ l: 2, ep: 1 }, 'b h'],
  [{ l: 1, ep: 1 }, 'h'],
  [{ l: 8, vf: 'l' }, 'd e g b h a c f'],
  [{ l: 100, vf: 'r' }, 'd e g b h a c f'],
  [{ l: null, vf: 'l' }, 'd e g b h a c f'],
])('[Q7][Q8][Q18] a query by a child with %j selects %j', (fields, keys) => {
  expect(shown({ i: 'n', ...fields }, CHILDREN)).toBe(keys);
});

test.each(['null', '5', '"text"', '{".value":5,".priority":1}'])(
  '[Q19] a query on %s selects nothing',
  (data) => {
    for (const fields of [{}, { i: '.value' }, { i: '.key', sp: 'a' }, { l: 1 }]) {
      expect(shown(fields, data)).toBe('');
      expect(queryView(parseQuery(fields), parseNodeJson(data))).toBe(null);
    }
  },
);

test('[Q20] the result of a query has no priority, and its children are complete', () => {
  const node = parseNodeJson('{"a":{"n":2,"x":1,".priority":3},"b":{"n":1},"c":{"n":3},".priority":"own"}');
  const view = queryView(parseQuery({ i: 'n', l: 2, vf: 'l' }), node);
  expect(exportJson(view)).toBe('{"a":{"n":2,"x":1,".priority":3},"b":{"n":1}}');
  expect(hashNode(view, (text) => text)).toBe(
    hashNode(parseNodeJson('{"b":{"n":1},"a":{"x":1,"n":2,".priority":3}}'), (text) => text),
  );
  expect(queryView(parseQuery({ i: 'n', sp: 9 }), node)).toBe(null);
});

test('[Q10] a query without bounds or a limit selects every child', () => {
  fc.assert(
    fc.property(nodesOf(2, 8), fc.constantFrom('.key', '.value', '.priority', 'n'), (node, i) => {
      const entries = evaluateQuery(parseQuery({ i }), node);
      expect(new Set(entries.map(({ key }) => key))).toEqual(
        new Set(node.kind === 'inner' ? node.children.keys() : []),
      );
    }),
  );
});

test('[Q15][Q18] the result is in order and in range, and omits only children beyond the limit', () => {
  fc.assert(
    fc.property(queryArbitrary, nodesOf(3, 8), (query, node) => {
      const entries = evaluateQuery(query, node);
      const all = node.kind === 'inner' ? [...node.children] : [];
      const inRange = all
        .map(([key, child]): Entry => ({ key, value: childIndexValue(child, query.index) }))
        .filter((entry) => isInRange(query, entry));
      expect(entries.length).toBe(Math.min(inRange.length, query.limit ?? Number.POSITIVE_INFINITY));
      entries.forEach((entry, i) => {
        const before = entries[i - 1];
        expect(isInRange(query, entry)).toBe(true);
        if (before !== undefined) expect(compareEntries(before, entry)).toBe(-1);
      });
      const last = query.from === 'left' ? entries.at(-1) : entries[0];
      for (const other of inRange)
        if (last !== undefined && !entries.some(({ key }) => key === other.key))
          expect(compareEntries(other, last)).toBe(query.from === 'left' ? 1 : -1);
      expect([...(queryView(query, node)?.children.keys() ?? [])].sort()).toEqual(
        entries.map(({ key }) => key).sort(),
      );
    }),
    { numRuns: 500 },
  );
});
