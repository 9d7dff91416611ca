import { readFileSync, statfsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';

/**
 * Keeps memory flat: a stream of a gigabyte leaves garbage that the collector would let grow to several times what is in
 * use. Collecting at 1.6 times costs some milliseconds a second while such a stream runs.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=60');
}

/**
 * Lets every object begin as a young one. The engine would allocate as old what comes of literals whose objects once
 * lived long, as those of requests do while a burst of them waits or is recorded; from then on each request would keep what
 * it refers to until the whole heap is collected, which costs more than answering it.
 */
export function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/** What this process takes of its machine. */
export interface ProcessFigures {
  readonly uptimeSec: number;
  /** Processor time since it started, all threads together. */
  readonly cpuMs: number;
  readonly residentBytes: number;
  readonly heapUsedBytes: number;
  /** Time since it started in which the event loop was at work, and in which it waited. */
  readonly loopActiveMs: number;
  readonly loopIdleMs: number;
}

export function readProcessFigures(): ProcessFigures {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const { active, idle } = performance.eventLoopUtilization();
  return {
    uptimeSec: process.uptime(),
    cpuMs: (user + system) / 1_000,
    residentBytes: rss,
    heapUsedBytes: heapUsed,
    loopActiveMs: active,
    loopIdleMs: idle,
  };
}

/** The file system that a directory is on. */
export function readDiskFigures(directory: string): {
  readonly freeBytes: number;
  readonly totalBytes: number;
} {
  const { bavail, blocks, bsize } = statfsSync(directory);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** The version of the installed package. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version }: { readonly version: string } = JSON.parse(text);
  return version;
}
