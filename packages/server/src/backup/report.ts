/** An observer of a long-running operation. */
export interface Watcher {
  /** Aborts the operation, which then removes its unfinished results. */
  readonly signal: AbortSignal;
  /** Called when a new stage begins: `Copying`. */
  readonly stage: (label: string) => void;
  readonly onBytes: (doneBytes: number, totalBytes: number | undefined) => void;
  /** Called with the completed share of the stage, from 0 to 1. */
  readonly onShare: (done: number) => void;
  /** Runs an operation that yields its completed share, and returns its result. Rejects if `signal` is aborted. */
  readonly drive: <T>(steps: Generator<number, T>) => Promise<T>;
}

/** The result of one check of a data directory. */
export interface Finding {
  readonly verdict: 'ok' | 'warning' | 'problem';
  /** One word for the subject of the check. */
  readonly check: string;
  /** Sentences for the operator: the result and, unless it is ok, what to do. */
  readonly message: string;
}

export function ok(check: string, message: string): Finding {
  return { verdict: 'ok', check, message };
}

export function warning(check: string, message: string): Finding {
  return { verdict: 'warning', check, message };
}

export function problem(check: string, message: string): Finding {
  return { verdict: 'problem', check, message };
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** Returns a readable size: `1.5 MB`, in units of 1,024. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}
