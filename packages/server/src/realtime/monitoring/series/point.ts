import type { ActivitySample } from '@hearth/core/api/activity.ts';

/** A ring of periods of the same length. */
export interface Level {
  readonly periodSec: number;
  /** Number of periods in the ring. */
  readonly periods: number;
}

/** One hour in periods of 10 seconds. This level is in memory only. */
export const RECENT_LEVEL: Level = { periodSec: 10, periods: 360 };

/** The levels on disk: a day in periods of a minute, and 30 days in periods of a quarter of an hour. */
export const STORED_LEVELS: readonly Level[] = [
  { periodSec: 60, periods: 1_440 },
  { periodSec: 900, periods: 2_880 },
];

/** The activity of a database in one period. `connections` is the largest number in the period. */
export interface SeriesPoint extends Omit<ActivitySample, 'timeMs'> {
  /** The end of the period, in periods since 1970. */
  readonly period: number;
  /** Bytes of the store in use at the end of the period. */
  readonly storeBytes: number;
}

/** Returns the number of the period that contains the second that ended at `timeMs`. */
export function periodAt(timeMs: number, { periodSec }: Level): number {
  return Math.ceil(timeMs / (periodSec * 1_000));
}

/** The figures of a point, in the order of the encoding. */
const FIGURES = [
  'reads',
  'writes',
  'denied',
  'sentBytes',
  'receivedBytes',
  'connections',
  'p50Ms',
  'p99Ms',
  'storeBytes',
] as const;

const HEADER_BYTES = 8;
const POINT_BYTES = HEADER_BYTES + 4 * FIGURES.length;

/**
 * Encodes a point: the generation of its series (4 bytes), the period (4 bytes), and each figure as a float of 4 bytes, of
 * which NaN stands for `null`.
 */
export function encodePoint(generation: number, point: SeriesPoint): Buffer {
  const bytes = Buffer.allocUnsafe(POINT_BYTES);
  bytes.writeUInt32BE(generation, 0);
  bytes.writeUInt32BE(point.period, 4);
  for (const [index, figure] of FIGURES.entries())
    bytes.writeFloatBE(point[figure] ?? Number.NaN, HEADER_BYTES + 4 * index);
  return bytes;
}

/** Decodes a point; `undefined` if it is of another generation, or if the bytes are not a valid point. */
export function decodePoint(generation: number, bytes: Buffer): SeriesPoint | undefined {
  if (bytes.length !== POINT_BYTES || bytes.readUInt32BE(0) !== generation) return undefined;
  const at = (figure: (typeof FIGURES)[number]): number =>
    bytes.readFloatBE(HEADER_BYTES + 4 * FIGURES.indexOf(figure));
  const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);
  return {
    period: bytes.readUInt32BE(4),
    reads: at('reads'),
    writes: at('writes'),
    denied: at('denied'),
    sentBytes: at('sentBytes'),
    receivedBytes: at('receivedBytes'),
    connections: at('connections'),
    p50Ms: orNull(at('p50Ms')),
    p99Ms: orNull(at('p99Ms')),
    storeBytes: at('storeBytes'),
  };
}
