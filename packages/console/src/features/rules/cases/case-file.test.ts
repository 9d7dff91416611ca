import { parseCaseFile } from '@hearth/core/rules/cases/case-file.ts';
import { expect, test } from 'vitest';
import { addCase, EMPTY_CASES } from './case-file.ts';

const CASE = { as: null, read: '/a', expect: 'deny' };

test.each([
  ['an empty list', EMPTY_CASES, 1],
  ['a list with a comment', '{"cases": [ // mine\n{"read": "/", "expect": "deny"} // last\n]}', 2],
  ['a list on one line', '{"cases": [{"read": "/", "expect": "deny"}], "data": {}}', 2],
])('[C144] a case is added to %s', (_what, file, count) => {
  const parsed = parseCaseFile(addCase(file, CASE) ?? '');
  expect(parsed.kind === 'cases' && parsed.cases.length).toBe(count);
});

test.each(['{', '[]', '{"cases": {}}'])('[C144] no case is added to %s', (file) => {
  expect(addCase(file, CASE)).toBeUndefined();
});
