import type { ActivityPast, ActivitySample, HistoryRange } from '@hearth/core/api/activity.ts';
import type { ActivityEvent } from '../../api/activity.ts';
import { printBytes } from '../../ui/text.tsx';
import type { Meaning } from '../../ui/theme.ts';

/** Activity in the period that ended at `timeMs`. Rates are averages; latencies are `null` for a period without requests. */
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
  /** Bytes of the store in use; `null` if unknown, as in live activity. */
  readonly storeBytes: number | null;
}

/** Period that charts show. */
export const SHOWN_MS = 15 * 60_000;

/**
 * Returns the points of a chart after an event. A history replaces all points. A sample is added at the end, and points
 * that are older than the sample by `SHOWN_MS` or more are removed.
 */
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
    storeBytes: null,
  };
}

/** Returns a point for each step of a history. A step without a point had no activity. */
export function pastPoints({ toMs, stepSec, steps, points }: ActivityPast): readonly ActivityPoint[] {
  const byTime = new Map(points.map((point) => [point.timeMs, point]));
  return Array.from({ length: steps }, (_, index) => {
    const timeMs = toMs - (steps - 1 - index) * stepSec * 1_000;
    const point = byTime.get(timeMs);
    return point === undefined
      ? { ...IDLE, timeMs }
      : { ...pointOf(point, stepSec), storeBytes: point.storeBytes };
  });
}

const IDLE: Omit<ActivityPoint, 'timeMs'> = {
  readsPerSec: 0,
  writesPerSec: 0,
  deniedPerSec: 0,
  sentPerSec: 0,
  receivedPerSec: 0,
  connections: 0,
  p50Ms: null,
  p99Ms: null,
  storeBytes: null,
};

export type Figure = Exclude<keyof ActivityPoint, 'timeMs'>;

export interface Chart {
  readonly id: 'operations' | 'latency' | 'traffic' | 'connections' | 'storage';
  /** The unit of all figures of the chart. */
  readonly unit: 'perSec' | 'ms' | 'bytesPerSec' | 'bytes' | 'count';
  readonly lines: readonly { readonly figure: Figure; readonly color: Meaning }[];
}

/** The charts of live activity. */
export const CHARTS: readonly Chart[] = [
  {
    id: 'operations',
    unit: 'perSec',
    lines: [
      { figure: 'readsPerSec', color: 'number' },
      { figure: 'writesPerSec', color: 'allow' },
      { figure: 'deniedPerSec', color: 'deny' },
    ],
  },
  {
    id: 'latency',
    unit: 'ms',
    lines: [
      { figure: 'p50Ms', color: 'number' },
      { figure: 'p99Ms', color: 'boolean' },
    ],
  },
  {
    id: 'traffic',
    unit: 'bytesPerSec',
    lines: [
      { figure: 'sentPerSec', color: 'number' },
      { figure: 'receivedPerSec', color: 'allow' },
    ],
  },
  { id: 'connections', unit: 'count', lines: [{ figure: 'connections', color: 'key' }] },
];

/** The charts of the history. */
export const PAST_CHARTS: readonly Chart[] = [
  ...CHARTS,
  { id: 'storage', unit: 'bytes', lines: [{ figure: 'storeBytes', color: 'string' }] },
];

/** Prints a figure with its unit; a dash for `null`. */
export function printFigure(value: number | null, unit: Chart['unit'], language: string): string {
  if (value === null) return '–';
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: value < 10 ? 1 : 0 });
  switch (unit) {
    case 'count':
      return number.format(value);
    case 'ms':
      return new Intl.NumberFormat(language, {
        style: 'unit',
        unit: 'millisecond',
        unitDisplay: 'short',
        maximumFractionDigits: value < 10 ? 2 : 0,
      }).format(value);
    case 'bytes':
      return printBytes(value, language);
    case 'bytesPerSec':
      return perSecond(printBytes(value, language), language);
    default:
      return perSecond(number.format(value), language);
  }
}

/** Adds "per second" as the language abbreviates it: `/s`, or `/ث` in Arabic. */
function perSecond(text: string, language: string): string {
  const rate = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'byte-per-second',
    unitDisplay: 'narrow',
  });
  const unit = rate.formatToParts(1).find(({ type }) => type === 'unit')?.value ?? '';
  return `${text}${unit.slice(unit.indexOf('/'))}`;
}

const MINUTE_MS = 60_000;

/** Possible distances between the ticks of a time axis, in minutes. */
const TICK_MINUTES = [1, 2, 5] as const;

/** Maximum number of ticks for which a time axis has room. */
const MAX_TICKS = 5;

/**
 * Returns the ticks of a time axis, in ms, for points in the order of time. Ticks are at whole minutes, so that no two
 * ticks have the same label.
 */
export function minuteTicks(points: readonly { readonly timeMs: number }[]): readonly number[] {
  const from = points[0]?.timeMs ?? 0;
  const to = points.at(-1)?.timeMs ?? 0;
  const minutes = TICK_MINUTES.find((step) => to - from < step * MAX_TICKS * MINUTE_MS) ?? TICK_MINUTES[2];
  const stepMs = minutes * MINUTE_MS;
  const first = Math.ceil(from / stepMs);
  const count = Math.max(Math.floor(to / stepMs) - first + 1, 0);
  return Array.from({ length: count }, (_, index) => (first + index) * stepMs);
}

/** Distances between the ticks of the time axis of each range: hours of a day, or whole days. */
const RANGE_TICKS = {
  hour: { unit: 'minutes', step: 15 },
  day: { unit: 'hours', step: 6 },
  week: { unit: 'days', step: 2 },
  month: { unit: 'days', step: 7 },
} as const satisfies Readonly<Record<HistoryRange, unknown>>;

/** Returns the ticks of the time axis of a history, in ms, at round times of the user's clock. */
export function rangeTicks({ range, toMs, stepSec, steps }: ActivityPast): readonly number[] {
  const { unit, step } = RANGE_TICKS[range];
  const fromMs = toMs - steps * stepSec * 1_000;
  const tick = new Date(fromMs);
  tick.setHours(0, 0, 0, 0);
  const ticks: number[] = [];
  for (; tick.getTime() <= toMs; advance(tick, unit, step))
    if (tick.getTime() > fromMs) ticks.push(tick.getTime());
  return ticks;
}

function advance(time: Date, unit: 'minutes' | 'hours' | 'days', step: number): void {
  if (unit === 'minutes') time.setMinutes(time.getMinutes() + step);
  else if (unit === 'hours') time.setHours(time.getHours() + step);
  else time.setDate(time.getDate() + step);
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Prints a duration in its largest unit, rounded down, such as `3 hours`. */
export function printDuration(seconds: number, language: string): string {
  const [unit, length] = UNITS.find(([, one]) => seconds >= one) ?? (['second', 1] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(seconds / length),
  );
}
