import { clearInterval, setInterval } from 'node:timers';
import type { Logger } from './logger.ts';

/** How long the event loop has been blocked. */
export interface EventLoopFigures {
  /** Longest time in the last 15 seconds for which the event loop could not run a timer that was due. */
  readonly longestDelayMs: number;
  /** How often the event loop has been blocked for more than 50 ms since the start. */
  readonly longDelays: number;
}

/** Work that ran in one piece on the event loop. */
interface Work {
  readonly what: string;
  readonly ms: number;
}

export interface EventLoopWatchOptions {
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
  /** Returns the CPU time of this thread since its start, in ms. */
  readonly threadCpuMs: () => number;
  readonly logger: Logger;
}

const TICK_MS = 20;
const WINDOW_MS = 15_000;

/** A block of the event loop that is longer than this counts as a long delay, in ms. */
const LONG_DELAY_MS = 50;

/**
 * A long delay is logged only if this thread has used at least this much CPU time in it, or has recorded as much work, in
 * ms. Otherwise the machine was busy with other programs.
 */
const MIN_LOGGED_MS = 25;

/** Shorter work is not recorded, in ms. */
const MIN_WORK_MS = 5;

/** Maximum number of pieces of work that are recorded between two ticks. */
const MAX_WORK = 50;

/** Number of pieces of work that one line of the log names. */
const MAX_LOGGED = 5;

/** Least time between two lines of the log, in ms. A line says how many blocks were omitted before it. */
const LOG_INTERVAL_MS = 1_000;

/** Measures how long the event loop is blocked. Logs long blocks with the server's work in them. */
export class EventLoopWatch implements Disposable {
  readonly #options: EventLoopWatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #tickedAtMs: number;
  #cpuMs: number;
  /** The longest delay of each recent second, by the number of the second. */
  readonly #delays = new Map<number, number>();
  readonly #work: Work[] = [];
  #longDelays = 0;
  #omitted = 0;
  #loggedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: EventLoopWatchOptions) {
    this.#options = options;
    this.#tickedAtMs = options.elapsedMs();
    this.#cpuMs = options.threadCpuMs();
  }

  get figures(): EventLoopFigures {
    return { longestDelayMs: Math.max(0, ...this.#delays.values()), longDelays: this.#longDelays };
  }

  start(): void {
    clearInterval(this.#timer);
    this.#tickedAtMs = this.#options.elapsedMs();
    this.#cpuMs = this.#options.threadCpuMs();
    this.#timer = setInterval(() => this.tick(), TICK_MS);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** Records work that has run in one piece. `what` names it for the operator. */
  record(what: string, ms: number): void {
    if (ms >= MIN_WORK_MS && this.#work.length < MAX_WORK) this.#work.push({ what, ms });
  }

  /** Measures the time since the last call. Must be called every 20 ms. */
  tick(): void {
    const { elapsedMs, threadCpuMs } = this.#options;
    const nowMs = elapsedMs();
    const cpuMs = threadCpuMs();
    const delayMs = Math.max(0, nowMs - this.#tickedAtMs - TICK_MS);
    this.#keep(nowMs, delayMs);
    if (delayMs > LONG_DELAY_MS) this.#report(nowMs, delayMs, cpuMs - this.#cpuMs);
    this.#tickedAtMs = nowMs;
    this.#cpuMs = cpuMs;
    this.#work.length = 0;
  }

  #keep(nowMs: number, delayMs: number): void {
    const second = Math.floor(nowMs / 1_000);
    if (!this.#delays.has(second))
      for (const old of this.#delays.keys()) if (old <= second - WINDOW_MS / 1_000) this.#delays.delete(old);
    this.#delays.set(second, Math.max(delayMs, this.#delays.get(second) ?? 0));
  }

  #report(nowMs: number, delayMs: number, cpuMs: number): void {
    this.#longDelays += 1;
    const workMs = this.#work.reduce((sum, { ms }) => sum + ms, 0);
    if (Math.max(cpuMs, workMs) < MIN_LOGGED_MS) return;
    if (nowMs - this.#loggedAtMs < LOG_INTERVAL_MS) {
      this.#omitted += 1;
      return;
    }
    const work = this.#work
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, MAX_LOGGED)
      .map(({ what, ms }) => ({ what, ms: Math.round(ms) }));
    this.#options.logger.warn(
      { delayMs: Math.round(delayMs), cpuMs: Math.round(cpuMs), work, omitted: this.#omitted },
      'the event loop was blocked for more than 50 ms',
    );
    this.#omitted = 0;
    this.#loggedAtMs = nowMs;
  }
}
