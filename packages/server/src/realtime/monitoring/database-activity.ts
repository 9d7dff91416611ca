import { HotPaths } from './hot-paths.ts';
import { LatencyHistogram } from './latency.ts';
import { QueryLog } from './queries.ts';

/** Counts bytes, as they are on their way within connections. */
export interface Traffic {
  sentBytes: number;
  receivedBytes: number;
}

/** Counts since a database was opened. */
export interface ActivityTotals {
  readonly reads: number;
  readonly writes: number;
  readonly denied: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** What was done in a stretch of time that ended at `timeMs`. */
export interface ActivitySample extends ActivityTotals {
  readonly timeMs: number;
  /** At its end. */
  readonly connections: number;
  /** Times within which half and 99 of 100 requests were done; `null` if there were none. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** What two states of the counters differ by. */
function sampleBetween(
  timeMs: number,
  before: ActivityTotals,
  now: ActivityTotals & { readonly connections: number },
  latency: LatencyHistogram,
): ActivitySample {
  return {
    timeMs,
    reads: now.reads - before.reads,
    writes: now.writes - before.writes,
    denied: now.denied - before.denied,
    connections: now.connections,
    sentBytes: now.sentBytes - before.sentBytes,
    receivedBytes: now.receivedBytes - before.receivedBytes,
    p50Ms: latency.percentileMs(0.5),
    p99Ms: latency.percentileMs(0.99),
  };
}

function totalsOf({ reads, writes, denied, sentBytes, receivedBytes }: ActivityTotals): ActivityTotals {
  return { reads, writes, denied, sentBytes, receivedBytes };
}

/** Seconds that a sample of the history stands for. */
export const SAMPLE_SEC = 5;

/** A quarter of an hour. */
const MAX_SAMPLES = 180;

/** What was done to one database in the last quarter of an hour, in samples of some seconds. */
class ActivityHistory {
  readonly #samples: ActivitySample[] = [];
  readonly #latency = new LatencyHistogram();
  #before: ActivityTotals;
  #seconds = 0;

  constructor(totals: ActivityTotals) {
    this.#before = totalsOf(totals);
  }

  /** Oldest first. */
  get samples(): readonly ActivitySample[] {
    return this.#samples;
  }

  /** Has nothing been done in all this time? */
  get isBlank(): boolean {
    return this.#samples.length === MAX_SAMPLES && this.#samples.every(isBlank);
  }

  /** To be called every second, with the times of that second. */
  tick(
    timeMs: number,
    totals: ActivityTotals & { readonly connections: number },
    latency: LatencyHistogram,
  ): void {
    latency.addTo(this.#latency);
    this.#seconds += 1;
    if (this.#seconds < SAMPLE_SEC) return;
    this.#samples.push(sampleBetween(timeMs, this.#before, totals, this.#latency));
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
    this.#before = totalsOf(totals);
    this.#latency.clear();
    this.#seconds = 0;
  }
}

function isBlank({ reads, writes, denied, sentBytes, receivedBytes }: ActivitySample): boolean {
  return reads + writes + denied + sentBytes + receivedBytes === 0;
}

/** Of a commit with more places than this, only so many are counted. */
const MAX_COUNTED_PATHS = 20;

/**
 * What is done to one database. Whoever does something counts it, which is all that it costs; once a second somebody looks at
 * the counters.
 */
export class DatabaseActivity implements Traffic, ActivityTotals {
  reads = 0;
  writes = 0;
  denied = 0;
  sentBytes = 0;
  receivedBytes = 0;
  readonly hotReads = new HotPaths();
  readonly hotWrites = new HotPaths();
  readonly queries = new QueryLog();
  readonly #latency = new LatencyHistogram();
  readonly #watchers = new Set<(sample: ActivitySample) => void>();
  #before: ActivityTotals = totalsOf(this);
  #history: ActivityHistory | null = null;
  readonly #countConnections: () => number;

  constructor(countConnections: () => number) {
    this.#countConnections = countConnections;
  }

  get connections(): number {
    return this.#countConnections();
  }

  recordRead(path: readonly string[]): void {
    this.reads += 1;
    this.hotReads.record(path);
  }

  recordWrite(paths: readonly { readonly path: readonly string[] }[]): void {
    this.writes += 1;
    const counted = paths.length > MAX_COUNTED_PATHS ? paths.slice(0, MAX_COUNTED_PATHS) : paths;
    for (const { path } of counted) this.hotWrites.record(path);
  }

  recordDenied(): void {
    this.denied += 1;
  }

  /** How long a request took, until what it wrote was durable. */
  recordLatency(ms: number): void {
    this.#latency.record(ms);
  }

  /** Samples of the last quarter of an hour, oldest first. */
  get history(): readonly ActivitySample[] {
    return this.#history?.samples ?? [];
  }

  get hasHistory(): boolean {
    return this.#history !== null;
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  /** Tells what was done, every second; returns how to stop that. */
  watch(watcher: (sample: ActivitySample) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /**
   * To be called every second. A history is begun, where there is room for one, with the first thing that is done. Returns
   * what was done, `null` for nothing, and adds its times to those of `sum`.
   */
  tick(timeMs: number, hasCapacity: boolean, sum: LatencyHistogram): ActivitySample | null {
    const isBusy = this.#latency.total > 0 || !isSame(this.#before, this);
    if (isBusy && hasCapacity) this.#history ??= new ActivityHistory(this.#before);
    if (!isBusy && this.#history === null && this.#watchers.size === 0) return null;
    const sample = sampleBetween(timeMs, this.#before, this, this.#latency);
    for (const watcher of this.#watchers) watcher(sample);
    this.#history?.tick(timeMs, this, this.#latency);
    if (this.#history?.isBlank === true) this.#history = null;
    this.#before = totalsOf(this);
    this.#latency.addTo(sum);
    this.#latency.clear();
    this.hotReads.tick();
    this.hotWrites.tick();
    return sample;
  }
}

function isSame(a: ActivityTotals, b: ActivityTotals): boolean {
  return (
    a.reads === b.reads &&
    a.writes === b.writes &&
    a.denied === b.denied &&
    a.sentBytes === b.sentBytes &&
    a.receivedBytes === b.receivedBytes
  );
}
