import type { Cost } from '@hearth/core/api/activity.ts';

/** The figures of a cost, in the order of the columns. */
export const COST_FIGURES = ['sentBytes', 'ms', 'events'] as const satisfies readonly (keyof Cost)[];
export type CostFigure = (typeof COST_FIGURES)[number];

/** Returns the rows with the highest figure first. Rows with the same figure keep their order. */
export function sortByCost<Row extends Cost>(rows: readonly Row[], figure: CostFigure): readonly Row[] {
  return rows.toSorted((a, b) => b[figure] - a[figure]);
}

/** Returns the share of a cost in the sum of all costs, from 0 to 1. */
export function shareOf(cost: Cost, all: readonly Cost[], figure: CostFigure): number {
  const sum = all.reduce((total, one) => total + one[figure], 0);
  return sum === 0 ? 0 : cost[figure] / sum;
}
