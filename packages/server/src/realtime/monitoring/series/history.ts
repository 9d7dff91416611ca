import type { ActivityPast, HistoryPoint, HistoryRange } from '@hearth/core/api/activity.ts';
import { type Level, RECENT_LEVEL, type SeriesPoint, STORED_LEVELS } from './point.ts';

/** How a range of time is shown. */
export interface RangeSpec {
  /** The position in `STORED_LEVELS` from which it is read; `recent` for the points in memory. */
  readonly source: 'recent' | number;
  readonly level: Level;
  /** Number of periods that are merged into a step. */
  readonly periodsOfStep: number;
  readonly steps: number;
}

const [MINUTES = RECENT_LEVEL, QUARTERS = RECENT_LEVEL] = STORED_LEVELS;

export const RANGES: Readonly<Record<HistoryRange, RangeSpec>> = {
  hour: { source: 'recent', level: RECENT_LEVEL, periodsOfStep: 1, steps: 360 },
  day: { source: 0, level: MINUTES, periodsOfStep: 5, steps: 288 },
  week: { source: 1, level: QUARTERS, periodsOfStep: 2, steps: 336 },
  month: { source: 1, level: QUARTERS, periodsOfStep: 8, steps: 360 },
};

/** Returns the number of the last period of a level that has ended at `nowMs`. */
export function lastPeriod(nowMs: number, { periodSec }: Level): number {
  return Math.floor(nowMs / (periodSec * 1_000));
}

/** Merges points, in any order, into the steps of a range whose last step ends with the period `last`. */
export function mergeIntoSteps(
  range: HistoryRange,
  points: readonly SeriesPoint[],
  last: number,
): ActivityPast {
  const { level, periodsOfStep, steps } = RANGES[range];
  const ofStep = new Map<number, SeriesPoint[]>();
  for (const point of points) {
    const back = Math.floor((last - point.period) / periodsOfStep);
    if (back < 0 || back >= steps) continue;
    const merged = ofStep.get(back);
    if (merged === undefined) ofStep.set(back, [point]);
    else merged.push(point);
  }
  const periodMs = level.periodSec * 1_000;
  const oldestFirst = [...ofStep.entries()].sort(([one], [other]) => other - one);
  return {
    range,
    stepSec: level.periodSec * periodsOfStep,
    steps,
    toMs: last * periodMs,
    points: oldestFirst.map(([back, merged]) =>
      mergePoints(merged, (last - back * periodsOfStep) * periodMs),
    ),
  };
}

/** Merges the points of one step that ends at `timeMs`. */
function mergePoints(points: readonly SeriesPoint[], timeMs: number): HistoryPoint {
  const sum = (figure: 'reads' | 'writes' | 'denied' | 'sentBytes' | 'receivedBytes'): number =>
    points.reduce((total, point) => total + point[figure], 0);
  const latest = points.reduce((one, other) => (other.period > one.period ? other : one));
  return {
    timeMs,
    reads: sum('reads'),
    writes: sum('writes'),
    denied: sum('denied'),
    sentBytes: sum('sentBytes'),
    receivedBytes: sum('receivedBytes'),
    connections: Math.max(...points.map(({ connections }) => connections)),
    p50Ms: averageMedian(points),
    p99Ms: largestOf(points.map(({ p99Ms }) => p99Ms)),
    storeBytes: latest.storeBytes,
  };
}

/** Returns the average of the medians, weighted by operations. A period with requests counts as at least one. */
function averageMedian(points: readonly SeriesPoint[]): number | null {
  let weights = 0;
  let sum = 0;
  for (const { p50Ms, reads, writes } of points) {
    if (p50Ms === null) continue;
    const weight = Math.max(reads + writes, 1);
    weights += weight;
    sum += weight * p50Ms;
  }
  return weights === 0 ? null : sum / weights;
}

function largestOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
