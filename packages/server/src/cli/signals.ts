import { constants } from 'node:os';
import { elapsedMs } from '../platform/clock.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** A command was asked to end before it was done. */
export class Interruption extends Error {
  /** What a shell expects of a command that was ended by the signal. */
  readonly exitCode: number;

  constructor(signal: (typeof SIGNALS)[number]) {
    super(`interrupted by ${signal}`);
    this.name = 'Interruption';
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** Is aborted with an `Interruption` at the first request to stop; a second one ends the process at once. */
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
