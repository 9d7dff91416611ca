import { ActivityHistory } from './activity-history.ts';
import { type ActivitySample, type ActivityTotals, sampleBetween, totalsOf } from './activity-sample.ts';
import { HotPaths } from './hot-paths.ts';
import { LatencyHistogram } from './latency-histogram.ts';
import { QueryLog } from './query-log.ts';
import type { Traffic } from './traffic.ts';

/** Of a commit with more places than this, only so many are counted. */
const MAX_COUNTED_PLACES = 20;

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

  noteRead(path: readonly string[]): void {
    this.reads += 1;
    this.hotReads.note(path);
  }

  noteWrite(places: readonly { readonly path: readonly string[] }[]): void {
    this.writes += 1;
    const counted = places.length > MAX_COUNTED_PLACES ? places.slice(0, MAX_COUNTED_PLACES) : places;
    for (const { path } of counted) this.hotWrites.note(path);
  }

  noteDenied(): void {
    this.denied += 1;
  }

  /** How long a request took, until what it wrote was durable. */
  noteLatency(ms: number): void {
    this.#latency.note(ms);
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
  tick(timeMs: number, hasRoom: boolean, sum: LatencyHistogram): ActivitySample | null {
    const isBusy = this.#latency.total > 0 || !isSame(this.#before, this);
    if (isBusy && hasRoom) this.#history ??= new ActivityHistory(this.#before);
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
