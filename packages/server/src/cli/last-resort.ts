import { setTimeout } from 'node:timers';
import { CommandFailure } from '../platform/failures.ts';
import type { Logger } from '../platform/logger.ts';

/** Codes of system errors that pass when files, memory or disk space become free. */
const EXHAUSTED: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'ENOSPC']);

/** Maximum time for an orderly stop after an unexpected error, in ms. */
const STOP_LIMIT_MS = 20_000;

const UNEXPECTED = 'The server stopped because of an unexpected error. The log has the details.';

/**
 * Handles errors that no code has caught. If the system is out of a resource, the server continues. Any other error
 * may have left something half done in memory: the server stops in an orderly way, and its exit code is 1. The store
 * is intact in any case, because it changes in transactions only.
 */
export class LastResort {
  /** Resolves at the first error because of which the server has to stop. */
  readonly failed: Promise<void>;
  readonly #logger: Logger;
  #hasFailed = false;
  #fail: () => void = () => undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
    this.failed = new Promise((resolve) => {
      this.#fail = resolve;
    });
    process.on('uncaughtException', (error, origin) => this.take(error, origin));
  }

  /** `origin` says where the error comes from: an exception, or a promise without a handler. */
  take(error: Error, origin: string): void {
    if ('code' in error && EXHAUSTED.has(error.code)) {
      this.#logger.error({ err: error, origin }, 'the system is out of a resource; the server continues');
      return;
    }
    this.#logger.fatal({ err: error, origin }, 'unexpected error outside of a request; the server stops');
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    this.#fail();
  }

  /** Throws a `CommandFailure` if the server stopped because of an error. */
  requireNone(): void {
    if (this.#hasFailed) throw new CommandFailure(UNEXPECTED);
  }
}
