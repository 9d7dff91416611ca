import type { ActivityEvent, ActivitySample } from '../../server/activity.ts';

/** What was done in each second of a stretch of time that ended at `timeMs`, on average. */
export interface ActivityPoint {
  readonly timeMs: number;
  readonly readsPerSec: number;
  readonly writesPerSec: number;
  readonly deniedPerSec: number;
  readonly sentPerSec: number;
  readonly receivedPerSec: number;
  readonly connections: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** As far back as is shown. */
const SHOWN_MS = 15 * 60_000;

/** The points of a chart with one more event in them; those that are too old are left out. */
export function addEvent(points: readonly ActivityPoint[], event: ActivityEvent): readonly ActivityPoint[] {
  if (event.kind === 'history') return event.samples.map((sample) => pointOf(sample, event.sampleSec));
  const { timeMs } = event.sample;
  return [...points.filter((point) => point.timeMs > timeMs - SHOWN_MS), pointOf(event.sample, 1)];
}

function pointOf(sample: ActivitySample, seconds: number): ActivityPoint {
  return {
    timeMs: sample.timeMs,
    readsPerSec: sample.reads / seconds,
    writesPerSec: sample.writes / seconds,
    deniedPerSec: sample.denied / seconds,
    sentPerSec: sample.sentBytes / seconds,
    receivedPerSec: sample.receivedBytes / seconds,
    connections: sample.connections,
    p50Ms: sample.p50Ms,
    p99Ms: sample.p99Ms,
  };
}
