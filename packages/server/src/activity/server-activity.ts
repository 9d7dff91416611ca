import { clearInterval, setInterval } from 'node:timers';
import type { Clock } from '../ops/clock.ts';
import type { ProcessFigures } from '../ops/process-figures.ts';

export interface ServerActivityOptions {
  readonly clock: Clock;
  readonly readProcess: () => ProcessFigures;
  readonly readDisk: () => { readonly freeBytes: number; readonly totalBytes: number };
  readonly store: { sizeBytes(): number; usedBytes(): number };
}

/** How the process does. Shares are from 0 to 1. */
export interface ServerFigures {
  readonly timeMs: number;
  readonly uptimeSec: number;
  readonly cpu: {
    /** Of one processor in the last second; more than 1 if several worked. */
    readonly share: number;
    readonly totalMs: number;
  };
  readonly memory: { readonly residentBytes: number; readonly heapUsedBytes: number };
  readonly eventLoop: {
    /** Of the last second. */
    readonly busyShare: number;
    /** Longest time by which something that was due came late, of the last quarter of a minute. */
    readonly longestDelayMs: number;
  };
  readonly store: { readonly sizeBytes: number; readonly usedBytes: number; readonly freeBytes: number };
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number };
}

const TICK_MS = 1_000;
const DELAYS = 15;

/** Figures of the process, of which some are differences over the last second. */
export class ServerActivity implements Disposable {
  readonly #options: ServerActivityOptions;
  readonly #delaysMs: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #tickedAtMs: number;
  #before: ProcessFigures;
  #cpuShare = 0;
  #busyShare = 0;

  constructor(options: ServerActivityOptions) {
    this.#options = options;
    this.#tickedAtMs = options.clock.elapsedMs();
    this.#before = options.readProcess();
  }

  start(): void {
    this.#timer = setInterval(() => this.tick(), TICK_MS);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** To be called every second. */
  tick(): void {
    const nowMs = this.#options.clock.elapsedMs();
    const tookMs = nowMs - this.#tickedAtMs;
    const figures = this.#options.readProcess();
    const activeMs = figures.loopActiveMs - this.#before.loopActiveMs;
    const idleMs = figures.loopIdleMs - this.#before.loopIdleMs;
    this.#cpuShare = shareOf(figures.cpuMs - this.#before.cpuMs, tookMs);
    this.#busyShare = shareOf(activeMs, activeMs + idleMs);
    this.#delaysMs.push(Math.max(0, tookMs - TICK_MS));
    if (this.#delaysMs.length > DELAYS) this.#delaysMs.shift();
    this.#tickedAtMs = nowMs;
    this.#before = figures;
  }

  read(): ServerFigures {
    const { clock, readProcess, readDisk, store } = this.#options;
    const { uptimeSec, cpuMs, residentBytes, heapUsedBytes } = readProcess();
    const sizeBytes = store.sizeBytes();
    const usedBytes = Math.min(store.usedBytes(), sizeBytes);
    return {
      timeMs: clock.nowMs(),
      uptimeSec,
      cpu: { share: this.#cpuShare, totalMs: cpuMs },
      memory: { residentBytes, heapUsedBytes },
      eventLoop: { busyShare: this.#busyShare, longestDelayMs: Math.max(0, ...this.#delaysMs) },
      store: { sizeBytes, usedBytes, freeBytes: sizeBytes - usedBytes },
      disk: readDisk(),
    };
  }
}

/** To three places. */
function shareOf(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.round((part / whole) * 1_000) / 1_000;
}
