import { type ActivityPoint, type Figure, SHOWN_MS } from '../activity/figures.ts';

/** Length of a step of the small charts. The history of the stream has samples of this length. */
const STEP_MS = 5_000;

const STEPS = SHOWN_MS / STEP_MS;

/** Number of steps for which a latency is shown after the last request. */
const RECENT_STEPS = 3;

/** Figures that have no value in a period without requests. Other figures are 0 in a period without samples. */
const HAS_GAPS: ReadonlySet<Figure> = new Set(['p50Ms', 'p99Ms']);

/**
 * Returns the value of a figure in each step of the last 15 minutes, oldest first. The value of `connections` is the number
 * at the end of the step. The value of another figure is its average. Steps begin at multiples of `STEP_MS`, so that a new
 * point does not change the averages of earlier steps.
 */
export function stepsOf(points: readonly ActivityPoint[], figure: Figure): readonly (number | null)[] {
  const empty = HAS_GAPS.has(figure) ? null : 0;
  return pointsByStep(points).map((ofStep) => {
    if (ofStep.length === 0) return empty;
    const values = ofStep.map((point) => point[figure]).filter((value) => value !== null);
    const last = values.at(-1);
    if (last === undefined) return null;
    return figure === 'connections' ? last : values.reduce((sum, value) => sum + value, 0) / values.length;
  });
}

/** Returns the points of each step. A step that the samples skipped gets the points of the step before. */
function pointsByStep(points: readonly ActivityPoint[]): readonly (readonly ActivityPoint[])[] {
  const last = stepOf(points.at(-1)?.timeMs ?? 0);
  const steps: ActivityPoint[][] = Array.from({ length: STEPS }, () => []);
  for (const point of points) steps[STEPS - 1 - last + stepOf(point.timeMs)]?.push(point);
  // The samples of the server drift, so that two may be in one step and none in the next.
  return steps.map((ofStep, index) => {
    const before = steps[index - 1] ?? [];
    const isSkipped = ofStep.length === 0 && before.length > 0 && (steps[index + 1] ?? []).length > 0;
    return isSkipped ? before : ofStep;
  });
}

/** Returns the number of the step that contains a point. `timeMs` is the end of the point's period, so it is rounded up. */
function stepOf(timeMs: number): number {
  return Math.ceil(timeMs / STEP_MS);
}

/** Returns the latest value in the last `RECENT_STEPS` steps; `null` if they have none. Only latencies can be missing. */
export function currentOf(steps: readonly (number | null)[]): number | null {
  return steps.slice(-RECENT_STEPS).findLast((value) => value !== null) ?? null;
}
