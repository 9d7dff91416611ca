import { expect, test } from 'vitest';
import { type CodeLanguage, printIndexRules, printQueryCode } from './code-samples.tsx';
import { NEW_QUERY } from './node-query.ts';

const QUERY = { ...NEW_QUERY, child: 'price$', equal: '"it\'s"', limit: 5, isLast: true };
const TARGET = { database: 'demo', path: '/a/b c', query: QUERY, origin: 'http://127.0.0.1:9000' };

test.each<readonly [CodeLanguage, string]>([
  [
    'js',
    'query(\n  ref(getDatabase(app), "/a/b c"),\n  orderByChild("price$"),\n  equalTo("it\'s"),\n  limitToLast(5),\n)',
  ],
  ['admin', '.ref("/a/b c")\n  .orderByChild("price$")\n  .equalTo("it\'s")\n  .limitToLast(5)'],
  ['kotlin', '.orderByChild("price\\$")'],
  ['swift', '.queryOrdered(byChild: "price$")\n  .queryEqual(toValue: "it\'s")\n  .queryLimited(toLast: 5)'],
  [
    'rest',
    "'http://127.0.0.1:9000/a/b%20c.json' \\\n  --data-urlencode 'ns=demo' \\\n  --data-urlencode 'orderBy=\"price$\"' \\\n  --data-urlencode 'equalTo=\"it'\\''s\"'",
  ],
])('[C63] the code sample in %s contains the query', (language, code) => {
  expect(printQueryCode(language, TARGET)).toContain(code);
});

test('[C63] the index rules are at the path of the query, and ordering by key needs no index', () => {
  expect(JSON.parse(printIndexRules('/a', QUERY) ?? '')).toEqual({
    rules: { a: { '.indexOn': ['price$'] } },
  });
  expect(printIndexRules('/a', { ...QUERY, order: 'key' })).toBeNull();
});
