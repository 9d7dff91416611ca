import { expect, test } from 'vitest';
import { printExact } from '../model/leaf-value.ts';
import { findDifferences } from '../staging/overlay.ts';
import { parseTree } from '../staging/store.ts';
import { markLines } from './editor.tsx';

test.each([
  ['{"a":1,"b":{"c":2}}', '{"a":1,"b":{"c":3}}', ['4 changed']],
  ['{"a":1}', '{"a":1,"b":{"c":2,"d":3}}', ['3 added', '4 added', '5 added', '6 added']],
  ['{"a":1,"b":{"c":2,"d":3}}', '{"a":1,"b":{"d":3}}', ['3 removed']],
  ['{"a":1}', 'null', ['1 removed']],
  ['{"-1":1,"1":2}', '{"-1":5,"1":2}', ['3 changed']],
])('[C331] after a change from %s to %s, the changed lines have signs', (before, after, marks) => {
  const differences = findDifferences(parseTree(before, '/'), parseTree(after, '/'));
  const text = printExact(JSON.parse(after));
  expect(markLines(text, differences).map(({ line, sign }) => `${line} ${sign}`)).toEqual(marks);
});
