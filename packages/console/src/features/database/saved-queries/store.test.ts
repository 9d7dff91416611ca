import { afterEach, expect, test } from 'vitest';
import {
  changeSavedQueries,
  findNameProblem,
  MAX_NAME,
  MAX_SAVED,
  readSavedQueries,
  type SavedQuery,
  savedParameters,
  savedQueriesKey,
  watchSavedQueries,
} from './store.ts';

const KEY = savedQueriesKey('hats', 'ann');
const QUERY: SavedQuery = { id: '1', name: 'Latest', database: 'd', path: '/a', parameters: 'view=table' };

afterEach(() => localStorage.clear());

test('[C360] the view is saved, without the impersonated principal and the selected row', () => {
  const parameters = new URLSearchParams('order=key&limit=5&view=table&as=nobody&row=/a&live=false&q=x');
  expect(savedParameters(parameters)).toBe('order=key&limit=5&view=table&q=x');
});

test.each([
  ['', 'empty'],
  ['  ', 'empty'],
  ['x'.repeat(MAX_NAME + 1), 'long'],
  [' Latest ', 'taken'],
  ['x'.repeat(MAX_NAME), null],
])('[C361] the problem of the name “%s” is %s', (name, problem) => {
  expect(findNameProblem(name, [QUERY])).toBe(problem);
});

test('[C362] saved queries belong to one user in one project, and subscribers are notified of changes', () => {
  let reported = 0;
  const stop = watchSavedQueries(() => reported++);
  changeSavedQueries(KEY, (before) => [...before, QUERY]);
  stop();
  changeSavedQueries(KEY, (before) => before);
  expect(reported).toBe(1);
  expect(readSavedQueries(KEY)).toEqual([QUERY]);
  expect(readSavedQueries(KEY)).toBe(readSavedQueries(KEY));
  for (const key of [savedQueriesKey('hats', 'bob'), savedQueriesKey('coats', 'ann')])
    expect(readSavedQueries(key)).toEqual([]);
});

test('[C363] a query beyond the maximum number is rejected, and the saved ones are kept', () => {
  const many = Array.from({ length: MAX_SAVED }, (_, index) => ({ ...QUERY, id: String(index) }));
  changeSavedQueries(KEY, () => many);
  expect(() => changeSavedQueries(KEY, (before) => [...before, QUERY])).toThrow('50');
  expect(readSavedQueries(KEY)).toHaveLength(MAX_SAVED);
});

test.each(['{', '7', '[1, {"id": "1"}]'])('[C362] invalid stored text “%s” is ignored', (text) => {
  localStorage.setItem(KEY, text);
  expect(readSavedQueries(KEY)).toEqual([]);
});
