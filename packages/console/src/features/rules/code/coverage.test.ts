import { Coverage } from '@hearth/core/rules/explain/coverage.ts';
import { expect, test } from 'vitest';
import { runCases } from '../cases/run-cases.ts';
import { lineCoverage } from './coverage.ts';
import { checkDraft } from './problems.tsx';

const SOURCE = `{"rules": {
".read": "auth != null",
"a": {".read": "auth.uid == 'x' || data.exists()"},
"b": {".read": true}
}}`;

function checkOrThrow(source: string) {
  const { rules } = checkDraft(source);
  if (rules === null) throw new Error('The rules of this test are invalid.');
  return rules;
}

test.each([
  [[], ['uncovered', 'uncovered', 'uncovered']],
  [[{ read: '/b', expect: 'allow' }], ['partly', 'uncovered', 'covered']],
  [
    [
      { read: '/a', expect: 'deny' },
      { as: 'x', read: '/', expect: 'allow' },
    ],
    ['covered', 'partly', 'uncovered'],
  ],
])('[C150] with the cases %j the lines are %j', (cases, states) => {
  const run = runCases(checkOrThrow(SOURCE), JSON.stringify({ cases }), 0);
  if (run.kind === 'wrong') throw new Error('The cases of this test are invalid.');
  expect(lineCoverage(SOURCE, run.coverage)).toEqual(
    states.map((state, index) => ({ line: index + 2, state })),
  );
});

test('[C150] rules that were never evaluated are uncovered', () => {
  expect(
    lineCoverage(SOURCE, new Coverage(checkOrThrow(SOURCE)).list()).every(
      ({ state }) => state === 'uncovered',
    ),
  ).toBe(true);
});
