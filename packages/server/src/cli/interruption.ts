import { constants } from 'node:os';

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
