import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LmdbStore } from '../../../storage/kv/lmdb.ts';
import { type SeriesPoint, STORED_LEVELS } from './point.ts';
import { MAX_SERIES, type StoredPoint, storePoints } from './series-store.ts';

const FILLED = 8;
const MAX_BYTES = 50_000_000;

const BUSY: Omit<SeriesPoint, 'period'> = {
  reads: 60_000,
  writes: 12_345,
  denied: 7,
  sentBytes: 123_456_789,
  receivedBytes: 1_234_567,
  connections: 250,
  p50Ms: 0.5,
  p99Ms: 12.3,
  storeBytes: 9_876_543_210,
};

test('[H683] the rings of all databases, full and written minute by minute, take less than 50 MB on disk', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-series-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  using store = new LmdbStore({ directory });
  const before = store.usedBytes();
  const databases = Array.from({ length: FILLED }, (_, index) => `database-${index}`);
  const [minutes, quarters] = STORED_LEVELS;
  const fill = (level: number, periods: number, step: number): void => {
    for (let period = 1; period <= periods; period += step)
      store.transact((tx) => {
        const points: readonly StoredPoint[] = Array.from({ length: step }, (_, index) => ({
          level,
          point: { ...BUSY, period: period + index },
        }));
        storePoints(tx, new Map(databases.map((name) => [name, points])), 1);
      });
  };
  // More than a whole ring, so that positions are used again. Several periods at a time keep the test short.
  fill(0, (minutes?.periods ?? 0) + 60, 20);
  fill(1, (quarters?.periods ?? 0) + 60, 20);
  const bytesOfSeries = (store.usedBytes() - before) / FILLED;
  expect(bytesOfSeries).toBeGreaterThan(100_000);
  expect(bytesOfSeries * MAX_SERIES).toBeLessThan(MAX_BYTES);
});
