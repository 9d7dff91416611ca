import { expect, test } from 'vitest';
import { countTests, sumUp } from '../scripts/run-step.mjs';

const PASSED = { passed: 3, failed: 0, skipped: 0 };

test.each([
  ['all tests passed', { projects: { a: PASSED }, errors: 0 }, 0, { passed: 3, failed: 0, skipped: 0 }],
  [
    'one test failed',
    { projects: { a: { passed: 2, failed: 1, skipped: 1 } }, errors: 0 },
    1,
    { passed: 2, failed: 1, skipped: 1 },
  ],
  ['there is no report', undefined, 0, { passed: 0, failed: 1, skipped: 0 }],
  ['an expected project is absent', { projects: {}, errors: 0 }, 0, { passed: 0, failed: 1, skipped: 0 }],
  [
    'all tests were skipped',
    { projects: { a: { passed: 0, failed: 0, skipped: 2 } }, errors: 0 },
    0,
    { passed: 0, failed: 1, skipped: 2 },
  ],
  ['two files do not load', { projects: { a: PASSED }, errors: 2 }, 1, { passed: 3, failed: 2, skipped: 0 }],
  [
    'no test failed but the exit code is 1',
    { projects: { a: PASSED }, errors: 0 },
    1,
    { passed: 3, failed: 1, skipped: 0 },
  ],
  [
    'a signal stopped the run after the report',
    { projects: { a: PASSED }, errors: 0 },
    null,
    { passed: 3, failed: 1, skipped: 0 },
  ],
] as const)('[P22] the count of tests is right if %s', (_case, report, code, counts) => {
  expect(countTests(report, ['a'], code)).toMatchObject(counts);
});

const OTHERS = { passed: 4, failed: 0, skipped: 0, problems: [] };

test.each([
  [{ passed: 3, failed: 0, skipped: 0, problems: [] }, '7 passed, 0 failed', false],
  [{ passed: 3, failed: 1, skipped: 2, problems: [] }, '7 passed, 1 failed, 2 skipped', true],
])('[P42] with %j the last line is %j', (result, line, hasFailed) => {
  expect(sumUp([OTHERS, result])).toEqual({ line, hasFailed });
});
