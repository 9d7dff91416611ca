import { constants } from 'node:os';
import { elapsedMs } from '../platform/clock.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The error of a command that a signal interrupted. */
export class Interruption extends Error {
  /** The exit code that a shell expects from a command that the signal ended. */
  readonly exitCode: number;

  constructor(signal: (typeof SIGNALS)[number]) {
    super(`interrupted by ${signal}`);
    this.name = 'Interruption';
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Returns a signal that is aborted with an `Interruption` on the first stop signal. A second stop signal ends
 * the process immediately.
 */
export function abortOnSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of SIGNALS)
    process.on(signal, () => {
      const interruption = new Interruption(signal);
      if (controller.signal.aborted) process.exit(interruption.exitCode);
      controller.abort(interruption);
    });
  return controller.signal;
}

type StopSignal = (typeof SIGNALS)[number];

/**
 * Time during which a repeated signal is ignored, in ms. npm forwards a signal that the terminal already sent
 * to all of its processes, so the same request arrives twice.
 */
const REPEAT_MS = 500;

/**
 * Resolves on the first stop signal. A later signal ends the process immediately, with the exit code that a
 * shell expects.
 */
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
