import { setImmediate } from 'node:timers/promises';
import type { Progress } from './progress.ts';

/** Runs work that yields the share it has done to its end, and shows its progress. Rejects when it is aborted. */
export async function drive<T>(
  steps: Generator<number, T>,
  progress: Progress,
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    progress.share(step.value);
    // Signals arrive between two steps.
    await setImmediate();
    signal.throwIfAborted();
  }
}
