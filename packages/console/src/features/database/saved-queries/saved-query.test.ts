import { afterEach, expect, test } from 'vitest';
import {
  changeSavedQueries,
  findNameProblem,
  keptParameters,
  MAX_NAME,
  MAX_SAVED,
  readSavedQueries,
  type SavedQuery,
  savedQueriesKey,
  watchSavedQueries,
} from './store.ts';

const KEY = savedQueriesKey('hats', 'ann');
const QUERY: SavedQuery = { id: '1', name: 'Latest', database: 'd', path: '/a', parameters: 'view=table' };

afterEach(() => localStorage.clear());

test('[C360] what is seen is saved, and not in whose place or which line', () => {
  const parameters = new URLSearchParams('order=key&limit=5&view=table&as=nobody&row=/a&live=false&q=x');
  expect(keptParameters(parameters)).toBe('order=key&limit=5&view=table&q=x');
});

test.each([
  ['', 'empty'],
  ['  ', 'empty'],
  ['x'.repeat(MAX_NAME + 1), 'long'],
  [' Latest ', 'taken'],
  ['x'.repeat(MAX_NAME), null],
])('[C361] a name such as “%s” is %s', (name, problem) => {
  expect(findNameProblem(name, [QUERY])).toBe(problem);
});

test('[C362] what is saved is of one person and project, and told to whoever looks', () => {
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

test('[C363] one too many is refused, and the others stay', () => {
  const many = Array.from({ length: MAX_SAVED }, (_, index) => ({ ...QUERY, id: String(index) }));
  changeSavedQueries(KEY, () => many);
  expect(() => changeSavedQueries(KEY, (before) => [...before, QUERY])).toThrow('50');
  expect(readSavedQueries(KEY)).toHaveLength(MAX_SAVED);
});

test.each(['{', '7', '[1, {"id": "1"}]'])(
  '[C362] “%s”, which another program has kept, is passed over',
  (text) => {
    localStorage.setItem(KEY, text);
    expect(readSavedQueries(KEY)).toEqual([]);
  },
);
