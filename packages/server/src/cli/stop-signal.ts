import { constants } from 'node:os';
import { elapsedMs } from '../ops/clock.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
type StopSignal = (typeof SIGNALS)[number];

/** Npm passes on a signal that the terminal has sent to all of its processes already: the same request arrives twice. */
const REPEAT_MS = 500;

/** Resolves at the first request to stop. A later one ends the process at once, with the code a shell expects. */
export function awaitStopSignal(signals: readonly StopSignal[] = SIGNALS): Promise<void> {
  return new Promise((resolve) => {
    let stoppingSinceMs: number | undefined;
    for (const signal of signals)
      process.on(signal, () => {
        const nowMs = elapsedMs();
        if (stoppingSinceMs !== undefined && nowMs - stoppingSinceMs > REPEAT_MS)
          process.exit(128 + constants.signals[signal]);
        stoppingSinceMs ??= nowMs;
        resolve();
      });
  });
}
