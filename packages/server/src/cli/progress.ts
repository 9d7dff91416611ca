import { setImmediate } from 'node:timers/promises';
import { formatBytes, type Watcher } from '../backup/report.ts';
import { elapsedMs } from '../platform/clock.ts';
import { abortOnSignal } from './signals.ts';

/** The stream that progress is written to. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  /** Width of the terminal in columns; 0 or absent if unknown. */
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressOptions {
  /** The name of the operation, for example `Exporting`. */
  readonly label: string;
  readonly stream: ProgressStream;
  readonly elapsedMs: () => number;
}

/** Minimum interval between redraws on a terminal, and between lines on any other stream. */
const TERMINAL_INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 3_000;

/**
 * Maximum and minimum width of the bar, in cells. If there is less space than the minimum, no bar is drawn.
 */
const MAX_BAR_CELLS = 24;
const MIN_BAR_CELLS = 4;
const DEFAULT_COLUMNS = 80;
const ERASE_LINE = '\r\u001b[K';

/**
 * Shows the progress of an operation: a moving bar on a terminal, a line every few seconds on any other
 * stream.
 */
export class Progress implements Disposable {
  readonly #options: ProgressOptions;
  readonly #startMs: number;
  #startBytes: number | undefined;
  #shownMs: number;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#startMs = options.elapsedMs();
    // The first interval starts here, so a quick command shows no progress.
    this.#shownMs = this.#startMs;
  }

  /** Reports the number of completed bytes, and the total if it is known. */
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

  /** Reports the completed share, from 0 to 1. */
  share(done: number): void {
    if (!this.#isTooSoon()) this.#show(done, '');
  }

  /** Erases the bar, so that the next output starts on an empty line. */
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
    // The last column stays free: some terminals start a new line after it.
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

/** Returns a readable duration, rounded up: `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}

/**
 * Runs a generator to its end and shows the completed share that it yields, from 0 to 1. Rejects if `signal`
 * is aborted.
 */
async function runSteps<T>(steps: Generator<number, T>, progress: Progress, signal: AbortSignal): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    progress.share(step.value);
    // Node delivers signals only between steps.
    await setImmediate();
    signal.throwIfAborted();
  }
}

export interface MessageWatcher extends Watcher {
  /** Prints a sentence on its own line. */
  readonly say: (sentence: string) => void;
}

/** Runs a long operation, shows its progress on standard error, and aborts it when a stop signal arrives. */
export async function runWithProgress<T>(work: (watcher: MessageWatcher) => Promise<T>): Promise<T> {
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
      drive: (steps) => runSteps(steps, progress, signal),
    });
  } catch (cause) {
    // An aborted operation may reject with a generic error. The reason of the signal takes precedence.
    signal.throwIfAborted();
    throw cause;
  } finally {
    progress[Symbol.dispose]();
  }
}
