import { parseQuery } from '@hearth/core/query/fields.ts';
import { expect, test } from 'vitest';
import { queryShape } from './query-shape.ts';

test.each<readonly [unknown, string | null]>([
  [{}, null],
  [{ i: 'age' }, null],
  [{ l: 5, vf: 'l' }, 'limitToFirst(5)'],
  [{ l: 5, vf: 'r' }, 'limitToLast(5)'],
  [{ i: '.key', l: 1, vf: 'r' }, 'orderByKey().limitToLast(1)'],
  [{ i: '.value', sp: 3 }, 'orderByValue().startAt(…)'],
  [{ i: 'a/b', sp: 3, ep: 9, l: 2, vf: 'l' }, 'orderByChild("a/b").startAt(…).endAt(…).limitToFirst(2)'],
  [{ i: 'age', sp: 3, ep: 3 }, 'orderByChild("age").equalTo(…)'],
  [{ i: '.key', sp: 'k', ep: 'k' }, 'orderByKey().equalTo(…)'],
  [{ i: 'age', sp: 3, sin: false, ep: 9, ein: false }, 'orderByChild("age").startAfter(…).endBefore(…)'],
  [{ sp: 1 }, 'orderByPriority().startAt(…)'],
])('[H880] the query %j has the form %s', (fields, shape) => {
  expect(queryShape(parseQuery(fields))).toBe(shape);
});

test('[H881] the form of a query is short', () => {
  expect(queryShape(parseQuery({ i: 'x'.repeat(700), l: 1, vf: 'l' }))?.length).toBe(200);
});
