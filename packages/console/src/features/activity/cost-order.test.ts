import type { Cost } from '@hearth/core/api/activity.ts';
import { expect, test } from 'vitest';
import { type CostFigure, shareOf, sortByCost } from './cost-order.ts';

const ROWS: readonly Cost[] = [
  { events: 1, sentBytes: 30, ms: 2 },
  { events: 3, sentBytes: 10, ms: 0 },
  { events: 2, sentBytes: 60, ms: 1 },
];

test.each<readonly [CostFigure, readonly number[]]>([
  ['sentBytes', [60, 30, 10]],
  ['ms', [2, 1, 0]],
  ['events', [3, 2, 1]],
])('[C780] costs are sorted by %s, highest first', (figure, sorted) => {
  expect(sortByCost(ROWS, figure).map((row) => row[figure])).toEqual(sorted);
});

test('[C780] a share is relative to the sum of all costs, and 0 if that sum is 0', () => {
  const [first = { events: 0, sentBytes: 0, ms: 0 }] = ROWS;
  expect(shareOf(first, ROWS, 'sentBytes')).toBeCloseTo(0.3);
  expect(shareOf(first, [{ ...first, ms: 0 }], 'ms')).toBe(0);
});
