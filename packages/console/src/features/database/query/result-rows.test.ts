import { expect, test } from 'vitest';
import { pathOf } from '../model/node-path.ts';
import { MAX_FIELDS, resultRow } from './result-rows.ts';

const AT = pathOf(['rows']);

test('[C718] the row of a child shows its values and its objects, without priorities', () => {
  expect(
    resultRow(AT, 'a', {
      '.priority': 3,
      n: 1,
      s: { '.value': 'x', '.priority': 2 },
      deep: { b: true },
    }),
  ).toEqual({
    key: 'a',
    path: '/rows/a',
    values: [
      { path: '/rows/a/n', name: 'n', kind: 'number', value: 1, text: '1' },
      { path: '/rows/a/s', name: 's', kind: 'string', value: 'x', text: '"x"' },
    ],
    objects: [{ path: '/rows/a/deep', name: 'deep', preview: '{"b":true}' }],
    isCut: false,
  });
});

test('[C718] a child that is a value is its own value', () => {
  expect(resultRow(AT, 'a', { '.value': false, '.priority': 1 }).values).toEqual([
    { path: '/rows/a', name: null, kind: 'boolean', value: false, text: 'false' },
  ]);
});

test('[C718] a row shows a bounded number of members, and the start of a long value', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, 'x'.repeat(1_000)]));
  const { values, isCut } = resultRow(AT, 'a', many);
  expect(values).toHaveLength(MAX_FIELDS);
  expect(isCut).toBe(true);
  expect(values[0]?.text).toMatch(/^"x{299}…$/);
});
