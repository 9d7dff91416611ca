import type { ActivitySample } from '@hearth/core/api/activity.ts';
import { createLogger } from '../../../platform/logger.ts';
import { MemoryStore } from '../../../storage/kv/memory.ts';
import type { KvStore } from '../../../storage/kv/store.ts';
import { EmbeddedLog } from '../../../storage/log/embedded.ts';
import { TransactionScheduler } from '../../../storage/transaction/scheduler.ts';
import { LatencyHistogram } from '../latency.ts';
import { ActivitySeries } from './activity-series.ts';

/** Series on a store in memory, and a clock that the test sets. */
export interface SeriesTestBed {
  readonly series: ActivitySeries;
  readonly store: KvStore;
  readonly clock: { nowMs(): number; elapsedMs(): number };
  /** Adds seconds with the figures of a sample to a database, and ends them. Lets the series store what has ended. */
  pass(
    seconds: number,
    database?: string,
    sample?: Partial<ActivitySample>,
    latencyMs?: number,
  ): Promise<void>;
  /** Sets the clock forward without activity. */
  skip(ms: number): void;
  /** Resolves when everything that waits has been stored. */
  settle(): Promise<void>;
  /** Returns the series of a server that starts now, on the same store. */
  restart(): ActivitySeries;
}

/** Opens series at a time in ms. `isStored` says which databases exist. */
export function openSeries(
  startMs: number,
  isStored: (database: string) => boolean = () => true,
  store: KvStore = new MemoryStore(),
): SeriesTestBed {
  let nowMs = startMs;
  const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs };
  const logger = createLogger('silent', { write: () => undefined });
  const scheduler = new TransactionScheduler({ log: new EmbeddedLog({ store }), clock, logger });
  const open = (): ActivitySeries =>
    new ActivitySeries({ store, scheduler, clock, logger, isStored: (_tx, name) => isStored(name) });
  const series = open();
  return {
    series,
    store,
    clock,
    async pass(seconds, database = 'd', sample = {}, latencyMs = 1) {
      for (let second = 0; second < seconds; second++) {
        nowMs += 1_000;
        const latency = new LatencyHistogram();
        latency.record(latencyMs);
        series.add(database, { ...QUIET, ...sample, timeMs: nowMs }, latency);
        series.tick(nowMs);
        if (nowMs % 60_000 === 1_000) await scheduler.drain();
      }
    },
    skip(ms) {
      nowMs += ms;
      series.tick(nowMs);
    },
    async settle() {
      await scheduler.drain();
      series.tick(nowMs);
      await scheduler.drain();
    },
    restart: open,
  };
}

const QUIET: ActivitySample = {
  timeMs: 0,
  reads: 1,
  writes: 0,
  denied: 0,
  sentBytes: 0,
  receivedBytes: 0,
  connections: 1,
  p50Ms: null,
  p99Ms: null,
};
