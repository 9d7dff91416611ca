import { readFileSync, statfsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/**
 * Limits the growth of the heap. A stream of a gigabyte leaves garbage that the collector would let grow to
 * several times the memory in use. Collecting at 1.6 times costs a few milliseconds per second while such a
 * stream runs.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=60');
}

/**
 * Makes the engine allocate every object in the young generation. By default, V8 allocates the objects of a
 * literal as old if earlier objects of that literal lived long, as request objects do while a burst of
 * requests waits or is recorded. From then on, each request would retain everything it refers to until the
 * whole heap is collected, which costs more than answering the request.
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/** Resource usage of this process. */
export interface ProcessStats {
  readonly uptimeSec: number;
  /** CPU time of all threads since the process started. */
  readonly cpuMs: number;
  readonly residentBytes: number;
  readonly heapUsedBytes: number;
  /**
   * Time since the process started during which the event loop was active, in ms. `loopIdleMs` is the time during which
   * it was idle.
   */
  readonly loopActiveMs: number;
  readonly loopIdleMs: number;
}

/** The latest figures of memory. Reading them opens a file, which fails if the process has too many open files. */
let memory = { rss: 0, heapUsed: 0 };

export function readProcessStats(): ProcessStats {
  const { user, system } = process.cpuUsage();
  try {
    memory = process.memoryUsage();
  } catch {
    // The figures of the last call remain.
  }
  const { rss, heapUsed } = memory;
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

/** The limit of open files if the system does not state one. */
const DEFAULT_MAX_FILES = 1_024;

interface ProcessReport {
  readonly userLimits?: { readonly open_files?: { readonly soft?: number | 'unlimited' } };
}

/**
 * Returns the maximum number of files and sockets of this process, which Node raises to the hard limit at its start.
 * `Infinity` if there is no limit.
 */
export function readMaxFiles(): number {
  // Otherwise Node looks up the host names of all connected addresses. Its types lack this property.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits }: ProcessReport = process.report.getReport();
  const limit = userLimits?.open_files?.soft ?? DEFAULT_MAX_FILES;
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : limit;
}

/** Returns the CPU time of this thread since its start, in ms. */
export function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Returns the size of the heap, in bytes. */
export function readHeapBytes(): number {
  return getHeapStatistics().used_heap_size;
}

/** The share of the machine's memory, or its container's, that this process may use unless an option says otherwise. */
const MACHINE_SHARE = 0.75;

/** Returns how large Node lets the heap of this process grow, in bytes. */
export function readMaxHeapBytes(): number {
  return getHeapStatistics().heap_size_limit;
}

/** Returns the memory that this process may use unless an option says otherwise, in bytes. */
export function readMemoryBytes(): number {
  // Without a limit, Node returns 0, or more than the machine has.
  const ofContainer = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(readMaxHeapBytes(), MACHINE_SHARE * Math.min(totalmem(), ofContainer));
}

/** Returns the size of the file system of a directory, and its free space. */
export function readDiskStats(directory: string): {
  readonly freeBytes: number;
  readonly totalBytes: number;
} {
  const { bavail, blocks, bsize } = statfsSync(directory);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Returns the version of the installed package. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version }: { readonly version: string } = JSON.parse(text);
  return version;
}

/**
 * Returns how the user writes commands of this program: `hearth`, or in a clone of the repository
 * `npm run hearth --`.
 */
export function programName(): string {
  return process.env['npm_lifecycle_event'] === 'hearth' ? 'npm run hearth --' : 'hearth';
}

/** Exit code of a server that has to be started again: a temporary failure. */
const START_AGAIN = 75;

/** Environment variable of a process that has started itself again. */
const RESTARTED = 'HEARTH_RESTARTED';

/** Returns whether this process has started itself again. */
export function hasRestarted(): boolean {
  return process.env[RESTARTED] === '1';
}

/**
 * Replaces this process by a new one of the same program, with the same arguments and process ID. If the system cannot,
 * ends the process, and a service manager starts it again.
 */
export function restartProcess(): never {
  const { execArgv, argv, env, execPath } = process;
  try {
    process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, [RESTARTED]: '1' });
  } catch {
    // Not all systems can do this.
  }
  process.exit(START_AGAIN);
}
