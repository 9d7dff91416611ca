import { type KvRead, type KvWrite, prefixRange } from '../../../storage/kv/store.ts';
import { decodePoint, encodePoint, type SeriesPoint, STORED_LEVELS } from './point.ts';

/** Maximum number of databases whose activity is stored. */
export const MAX_SERIES = 64;

/** Time without activity after which none of the points of a series is shown, in ms. */
const UNUSED_MS = 30 * 24 * 3_600_000;

/** The database that a stored series is about. */
interface Holder {
  readonly database: string;
  /** Counts the databases that have had the series. Points of other generations are ignored. */
  readonly generation: number;
  /** Time of the latest stored point, in ms. */
  readonly latestMs: number;
}

/** A point to be stored at a level, which is a position in `STORED_LEVELS`. */
export interface StoredPoint {
  readonly level: number;
  readonly point: SeriesPoint;
}

/** Prefix of the holders. The number of the series follows, in two digits. */
const HOLDERS = 'activity-of/';
/** Prefix of the points. The number of the series (1 byte), the level (1 byte) and the position (2 bytes) follow. */
const POINTS = Buffer.from('activity/');

function holderKey(series: number): Buffer {
  return Buffer.from(`${HOLDERS}${String(series).padStart(2, '0')}`);
}

function pointsPrefix(series: number, level: number): Buffer {
  return Buffer.concat([POINTS, Buffer.from([series, level])]);
}

function pointKey(series: number, { level, point }: StoredPoint): Buffer {
  const position = Buffer.allocUnsafe(2);
  position.writeUInt16BE(point.period % (STORED_LEVELS[level]?.periods ?? 1));
  return Buffer.concat([pointsPrefix(series, level), position]);
}

function listHolders(tx: KvRead): ReadonlyMap<number, Holder> {
  const holders = new Map<number, Holder>();
  for (const { key, value } of tx.scan('meta', prefixRange(Buffer.from(HOLDERS))))
    holders.set(Number(key.toString('latin1').slice(HOLDERS.length)), JSON.parse(value.toString()));
  return holders;
}

/**
 * Stores points of databases in the rings of their series, in the table `meta`. A point replaces the one that is a whole
 * ring older. A database without a series gets a free one, or that of a database without activity for 30 days; if there is
 * none, its points are dropped.
 */
export function storePoints(
  tx: KvWrite,
  pointsOf: ReadonlyMap<string, readonly StoredPoint[]>,
  nowMs: number,
): void {
  const holders = new Map(listHolders(tx));
  for (const [database, points] of pointsOf) {
    const [series, generation] = findSeries(holders, database) ?? findUnused(holders, nowMs) ?? [];
    if (series === undefined || generation === undefined) continue;
    for (const each of points) tx.put('meta', pointKey(series, each), encodePoint(generation, each.point));
    const holder: Holder = { database, generation, latestMs: nowMs };
    holders.set(series, holder);
    tx.put('meta', holderKey(series), Buffer.from(JSON.stringify(holder)));
  }
}

/** Reads the points of a database at a level whose periods are after `after` and at most `last`, in any order. */
export function readPoints(
  tx: KvRead,
  database: string,
  level: number,
  after: number,
  last: number,
): readonly SeriesPoint[] {
  const [series, generation] = findSeries(listHolders(tx), database) ?? [];
  if (series === undefined || generation === undefined) return [];
  const points: SeriesPoint[] = [];
  for (const { value } of tx.scan('meta', prefixRange(pointsPrefix(series, level)))) {
    const point = decodePoint(generation, value);
    if (point !== undefined && point.period > after && point.period <= last) points.push(point);
  }
  return points;
}

type SeriesId = readonly [series: number, generation: number];

function findSeries(holders: ReadonlyMap<number, Holder>, database: string): SeriesId | undefined {
  for (const [series, holder] of holders)
    if (holder.database === database) return [series, holder.generation];
  return undefined;
}

/** Returns a series that no database holds, or whose points are all outdated, with its next generation. */
function findUnused(holders: ReadonlyMap<number, Holder>, nowMs: number): SeriesId | undefined {
  for (let series = 0; series < MAX_SERIES; series++) {
    const holder = holders.get(series);
    if (holder === undefined) return [series, 1];
    if (holder.latestMs < nowMs - UNUSED_MS) return [series, holder.generation + 1];
  }
  return undefined;
}
