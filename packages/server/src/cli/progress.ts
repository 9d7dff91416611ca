import { setImmediate } from 'node:timers/promises';
import { formatBytes, type Watcher } from '../backup/report.ts';
import { elapsedMs } from '../platform/clock.ts';
import { abortOnSignal } from './signals.ts';

/** Where progress is shown. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  /** Width; 0 or absent when it is not known. */
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressOptions {
  /** What is being done: `Exporting`. */
  readonly label: string;
  readonly stream: ProgressStream;
  readonly elapsedMs: () => number;
}

/** How often a terminal is drawn anew, and how often anything else gets a line. */
const TERMINAL_INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 3_000;

/** Cells of a bar where there is room for it. */
const MAX_BAR_CELLS = 24;
const MIN_BAR_CELLS = 4;
const DEFAULT_COLUMNS = 80;
const ERASE_LINE = '\r\u001b[K';

/** Shows how far something is: on a terminal as a bar that moves, elsewhere as a line from time to time. */
export class Progress implements Disposable {
  readonly #options: ProgressOptions;
  readonly #startMs: number;
  #startBytes: number | undefined;
  #shownMs: number;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#startMs = options.elapsedMs();
    // A command that is quick shows nothing.
    this.#shownMs = this.#startMs;
  }

  /** Tells how many bytes are done, and of how many if that is known. */
  bytes(doneBytes: number, totalBytes: number | undefined): void {
    this.#startBytes ??= doneBytes;
    if (this.#isTooSoon()) return;
    const seconds = (this.#options.elapsedMs() - this.#startMs) / 1_000;
    const rate = (doneBytes - this.#startBytes) / seconds;
    if (totalBytes === undefined) {
      this.#show(undefined, `  ${formatBytes(doneBytes)}  ${formatBytes(rate)}/s`);
      return;
    }
    const left = rate > 0 ? `  ${formatSeconds((totalBytes - doneBytes) / rate)} left` : '';
    const sizes = `${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}`;
    this.#show(doneBytes / totalBytes, `  ${sizes}  ${formatBytes(rate)}/s${left}`);
  }

  /** Tells which share is done, from 0 to 1. */
  share(done: number): void {
    if (!this.#isTooSoon()) this.#show(done, '');
  }

  /** Takes the bar away, so that what comes next stands on a line of its own. */
  [Symbol.dispose](): void {
    if (this.#isTerminal) this.#options.stream.write(ERASE_LINE);
  }

  get #isTerminal(): boolean {
    return this.#options.stream.isTTY === true;
  }

  #isTooSoon(): boolean {
    const nowMs = this.#options.elapsedMs();
    if (nowMs - this.#shownMs < (this.#isTerminal ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS)) return true;
    this.#shownMs = nowMs;
    return false;
  }

  #show(share: number | undefined, text: string): void {
    const { label, stream } = this.#options;
    const percent = share === undefined ? '' : `  ${Math.floor(100 * share)}%`;
    if (!this.#isTerminal) {
      stream.write(`${label}${percent}${text}\n`);
      return;
    }
    // The last column stays free: some terminals begin a line after it.
    const columns = (stream.columns || DEFAULT_COLUMNS) - 1;
    const room = columns - label.length - percent.length - text.length;
    const bar = share === undefined ? '' : drawBar(share, Math.min(room - 4, MAX_BAR_CELLS));
    stream.write(ERASE_LINE + `${label}${bar}${percent}${text}`.slice(0, columns));
  }
}

function drawBar(share: number, cells: number): string {
  if (cells < MIN_BAR_CELLS) return '';
  const full = Math.round(cells * share);
  return `  [${'#'.repeat(full)}${'-'.repeat(cells - full)}]`;
}

/** A time for people, rounded up: `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}

/** Runs work that yields the share it has done to its end, and shows its progress. Rejects when it is aborted. */
async function drive<T>(steps: Generator<number, T>, progress: Progress, signal: AbortSignal): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    progress.share(step.value);
    // Signals arrive between two steps.
    await setImmediate();
    signal.throwIfAborted();
  }
}

export interface TalkingWatcher extends Watcher {
  /** Tells a sentence, on a line of its own. */
  readonly say: (sentence: string) => void;
}

/** Runs a long piece of work, shows its progress on standard error, and aborts it at a request to stop. */
export async function watchWork<T>(work: (watcher: TalkingWatcher) => Promise<T>): Promise<T> {
  const signal = abortOnSignal();
  let progress = new Progress({ label: 'Working', stream: process.stderr, elapsedMs });
  try {
    return await work({
      signal,
      stage: (label) => {
        progress[Symbol.dispose]();
        progress = new Progress({ label, stream: process.stderr, elapsedMs });
      },
      onBytes: (doneBytes, totalBytes) => progress.bytes(doneBytes, totalBytes),
      say: (sentence) => {
        progress[Symbol.dispose]();
        process.stderr.write(`${sentence}\n`);
      },
      onShare: (done) => progress.share(done),
      drive: (steps) => drive(steps, progress, signal),
    });
  } catch (cause) {
    // What was aborted may say no more than that.
    signal.throwIfAborted();
    throw cause;
  } finally {
    progress[Symbol.dispose]();
  }
}
