import type { ActivitySample } from '@hearth/core/api/activity.ts';
import type { RuleNode } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import { DatabaseCosts } from './costs/costs.ts';
import { HotPaths } from './hot-paths.ts';
import { LatencyHistogram } from './latency.ts';
import { QueryLog } from './queries.ts';

/** Counters of the bytes that the server sends to clients and receives from them. */
export interface Traffic {
  sentBytes: number;
  receivedBytes: number;
}

/** Counters since the database was opened. */
export interface ActivityTotals {
  readonly reads: number;
  readonly writes: number;
  readonly denied: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** Returns the difference between two states of the counters as a sample. */
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

/** Length of the period of one history sample, in seconds. */
export const SAMPLE_SEC = 5;

/** Maximum number of samples: 15 minutes. */
const MAX_SAMPLES = 180;

/** The activity of one database in the last 15 minutes, in samples of `SAMPLE_SEC` seconds. */
class RecentSamples {
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

  /** Whether the history is full and contains no activity. */
  get isIdle(): boolean {
    return this.#samples.length === MAX_SAMPLES && this.#samples.every(isIdle);
  }

  /** Adds one second to the history. Must be called every second, with the durations of that second. */
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

function isIdle({ reads, writes, denied, sentBytes, receivedBytes }: ActivitySample): boolean {
  return reads + writes + denied + sentBytes + receivedBytes === 0;
}

/** Receives one second of a database and the durations of its requests. */
export type SecondObserver = (sample: ActivitySample, latency: LatencyHistogram) => void;

/** Maximum number of paths that are counted for one commit. Further paths are not counted. */
const MAX_COUNTED_PATHS = 20;

/**
 * The activity of one database. An operation only increments counters, so counting costs almost nothing. The
 * counters are evaluated once a second.
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
  readonly costs = new DatabaseCosts();
  readonly #latency = new LatencyHistogram();
  readonly #watchers = new Set<(sample: ActivitySample) => void>();
  #before: ActivityTotals = totalsOf(this);
  #history: RecentSamples | null = null;
  readonly #countConnections: () => number;

  constructor(countConnections: () => number) {
    this.#countConnections = countConnections;
  }

  get connections(): number {
    return this.#countConnections();
  }

  /** Counts a read; its path, unless it is `null`. `rules` are the rules of the database, by which paths are grouped. */
  recordRead(path: Path | null, rules: RuleNode): void {
    this.reads += 1;
    if (path !== null) this.hotReads.record(path, rules);
  }

  /** Counts a commit. `rules` are the rules of the database, by which paths are grouped. */
  recordWrite(paths: readonly { readonly path: Path }[], rules: RuleNode): void {
    this.writes += 1;
    const counted = paths.length > MAX_COUNTED_PATHS ? paths.slice(0, MAX_COUNTED_PATHS) : paths;
    for (const { path } of counted) this.hotWrites.record(path, rules);
  }

  recordDenied(): void {
    this.denied += 1;
  }

  /** Records the duration of a request in ms, measured until its writes are durable. */
  recordLatency(ms: number): void {
    this.#latency.record(ms);
  }

  /** The samples of the last 15 minutes, oldest first. */
  get history(): readonly ActivitySample[] {
    return this.#history?.samples ?? [];
  }

  get hasHistory(): boolean {
    return this.#history !== null;
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  /** Calls `watcher` with a sample every second. Returns a function that stops the calls. */
  watch(watcher: (sample: ActivitySample) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /**
   * Ends one second. Must be called every second. If there is room for a history, the first activity starts
   * one. Passes the sample of the second and the durations of its requests to `add`, unless the database is idle and has
   * neither a history nor watchers nor connections. `add` must not keep the durations.
   */
  tick(timeMs: number, hasCapacity: boolean, add: SecondObserver): void {
    this.costs.tick(timeMs);
    const isBusy = this.#latency.total > 0 || !isSame(this.#before, this);
    if (isBusy && hasCapacity) this.#history ??= new RecentSamples(this.#before);
    if (!isBusy && this.#history === null && this.#watchers.size === 0 && this.connections === 0) return;
    const sample = sampleBetween(timeMs, this.#before, this, this.#latency);
    for (const watcher of this.#watchers) watcher(sample);
    this.#history?.tick(timeMs, this, this.#latency);
    if (this.#history?.isIdle === true) this.#history = null;
    this.#before = totalsOf(this);
    add(sample, this.#latency);
    this.#latency.clear();
    this.hotReads.tick();
    this.hotWrites.tick();
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
