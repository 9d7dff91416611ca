import { expect, test } from 'vitest';
import { countTests, sumUp } from '../scripts/run-step.mjs';
import { secondRunOf, withSecondRun } from '../scripts/second-run.mjs';

const PASSED = { passed: 3, failed: 0, skipped: 0 };

test.each([
  [
    'all tests passed',
    { projects: { a: PASSED }, errors: 0, timedOut: [] },
    0,
    { passed: 3, failed: 0, skipped: 0 },
  ],
  [
    'one test failed',
    { projects: { a: { passed: 2, failed: 1, skipped: 1 } }, errors: 0, timedOut: [] },
    1,
    { passed: 2, failed: 1, skipped: 1 },
  ],
  ['there is no report', undefined, 0, { passed: 0, failed: 1, skipped: 0 }],
  [
    'an expected project is absent',
    { projects: {}, errors: 0, timedOut: [] },
    0,
    { passed: 0, failed: 1, skipped: 0 },
  ],
  [
    'all tests were skipped',
    { projects: { a: { passed: 0, failed: 0, skipped: 2 } }, errors: 0, timedOut: [] },
    0,
    { passed: 0, failed: 1, skipped: 2 },
  ],
  [
    'two files do not load',
    { projects: { a: PASSED }, errors: 2, timedOut: [] },
    1,
    { passed: 3, failed: 2, skipped: 0 },
  ],
  [
    'no test failed but the exit code is 1',
    { projects: { a: PASSED }, errors: 0, timedOut: [] },
    1,
    { passed: 3, failed: 1, skipped: 0 },
  ],
  [
    'a signal stopped the run after the report',
    { projects: { a: PASSED }, errors: 0, timedOut: [] },
    null,
    { passed: 3, failed: 1, skipped: 0 },
  ],
] as const)('[P22] the count of tests is right if %s', (_case, report, code, counts) => {
  expect(countTests(report, ['a'], code)).toMatchObject(counts);
});

const OTHERS = { passed: 4, failed: 0, skipped: 0, problems: [], timedOut: [] };

test.each([
  [{ passed: 3, failed: 0, skipped: 0, problems: [], timedOut: [] }, '7 passed, 0 failed', false],
  [{ passed: 3, failed: 1, skipped: 2, problems: [], timedOut: [] }, '7 passed, 1 failed, 2 skipped', true],
])('[P42] with %j the last line is %j', (result, line, hasFailed) => {
  expect(sumUp([OTHERS, result])).toEqual({ line, hasFailed });
});

const STEP = { name: 'console', args: ['run'], projects: ['a', 'b'], limitMs: 1 };
const SLOW = { project: 'a', file: '/a.test.ts', name: 'a test' };
const RESULT = { passed: 3, failed: 1, skipped: 0, problems: [], timedOut: [SLOW] };

test('[P74] a step whose only failures are timeouts runs again, with the files of these tests', () => {
  expect(secondRunOf(STEP, RESULT)).toEqual({
    name: 'console again',
    args: ['run', '/a.test.ts'],
    projects: ['a'],
    limitMs: 1,
  });
});

test.each([
  ['nothing failed', { ...RESULT, failed: 0, timedOut: [] }],
  ['a result was wrong', { ...RESULT, timedOut: [] }],
  ['another result was wrong', { ...RESULT, failed: 2 }],
])('[P74] a step does not run again if %s', (_case, result) => {
  expect(secondRunOf(STEP, result)).toBeUndefined();
});

test('[P74] a timeout counts as passed only if the second run has no failure', () => {
  const passed = { passed: 1, failed: 0, skipped: 5, problems: [], timedOut: [] };
  expect(withSecondRun(RESULT, passed)).toMatchObject({ passed: 4, failed: 0, skipped: 0 });
  expect(withSecondRun(RESULT, { ...passed, failed: 1 })).toBe(RESULT);
});
