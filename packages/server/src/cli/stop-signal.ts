import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Resolves at the first request to stop. A second one ends the process at once, with the code a shell expects. */
export function awaitStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of SIGNALS)
      process.on(signal, () => {
        if (isStopping) process.exit(128 + constants.signals[signal]);
        isStopping = true;
        resolve();
      });
  });
}
