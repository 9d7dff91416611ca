import { expect, test } from 'vitest';
import {
  addColumns,
  fieldsOf,
  isCellOf,
  parsePasted,
  parseTsv,
  pathInColumn,
  printTsv,
  VALUE_COLUMN,
  valueInColumn,
} from './cells.ts';

test.each([
  [
    [
      ['a', 1, true, null],
      ['b', 2.5, false, 'c'],
    ],
  ],
  [[['with\ttab', 'with\nline', 'with "quotes"', '']]],
])('[C72] cells keep their text when they are copied and pasted: %j', (cells) => {
  expect(parseTsv(printTsv(cells))).toEqual(
    cells.map((row) => row.map((cell) => (cell === null ? '' : String(cell)))),
  );
});

test.each([
  ['5', 1, 5],
  ['5', 'text', '5'],
  ['true', undefined, true],
  ['9007199254740993', 0, 9007199254740993n],
  ['plain', 1, 'plain'],
  ['', 'text', null],
  ['1e5', undefined, '1e5'],
  ['1.0', undefined, '1.0'],
  ['1.0', 2, 1],
  ['12345678901234567890', 1, '12345678901234567890'],
  ['0.1234567890123456789', undefined, '0.1234567890123456789'],
  ['{"n":12345678901234567890}', undefined, '{"n":12345678901234567890}'],
])('[C72] the text %j pasted over %s becomes %s', (text, before, value) => {
  expect(parsePasted(text, before)).toEqual(value);
});

test('[C71] the members of a row are known if it has a preview; otherwise, the row is read', () => {
  const row = { kind: 'object', key: 'a', childCount: 1, isCountPartial: false, priority: null } as const;
  expect(fieldsOf({ ...row, preview: '{"n":1,".priority":2}' })).toEqual({
    kind: 'fields',
    fields: new Map([['n', 1]]),
  });
  expect(fieldsOf({ ...row, preview: null })).toEqual({ kind: 'unknown', isReadable: true });
  expect(fieldsOf({ ...row, isDenied: true })).toEqual({ kind: 'unknown', isReadable: false });
});

test('[C344] children that are values have a separate column, before the columns of members', () => {
  const value = { kind: 'value', value: 5 } as const;
  const fields = { kind: 'fields', fields: new Map([['n', 1]]) } as const;
  const columns = addColumns([], [fields, value]);
  expect(columns).toEqual([VALUE_COLUMN, 'n']);
  expect(columns.map((name) => [valueInColumn(value, name), isCellOf(value, name)])).toEqual([
    [5, true],
    [undefined, false],
  ]);
  expect(columns.map((name) => [valueInColumn(fields, name), isCellOf(fields, name)])).toEqual([
    [undefined, false],
    [1, true],
  ]);
  expect(columns.map((name) => pathInColumn('/a', name))).toEqual(['/a', '/a/n']);
  expect(addColumns(columns, [value])).toBe(columns);
});
