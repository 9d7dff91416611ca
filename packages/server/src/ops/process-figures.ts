import { statfsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

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
