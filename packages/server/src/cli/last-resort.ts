import { CommandFailure } from '../platform/failures.ts';
import type { Logger } from '../platform/logger.ts';

/** Codes of system errors that go away when files, memory or disk space become free. */
const EXHAUSTED: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'ENOSPC']);

/** Maximum time for an orderly stop after an unexpected error, in ms. */
const STOP_LIMIT_MS = 20_000;

const UNEXPECTED = 'The server stopped because of an unexpected error. The log has the details.';

/**
 * Handles uncaught errors. If the system is out of a resource, the server continues. Any other error may have left
 * inconsistent state in memory, so the server stops in an orderly way, and its exit code is 1. The store is intact
 * in any case, because it changes only in transactions. Lines that cannot be printed are lost, because logging the
 * loss would fail in the same way.
 */
export class LastResort {
  /** Resolves at the first error that makes the server stop. */
  readonly failed: Promise<void>;
  readonly #logger: Logger;
  #hasFailed = false;
  #fail: () => void = () => undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
    this.failed = new Promise((resolve) => {
      this.#fail = resolve;
    });
    process.on('uncaughtException', (error: unknown, origin) => this.take(error, origin));
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  }

  /**
   * Handles a thrown value, which need not be an `Error`. `origin` is `uncaughtException`, or `unhandledRejection` for
   * a promise without a handler.
   */
  take(error: unknown, origin: string): void {
    if (error instanceof Error && 'code' in error && EXHAUSTED.has(error.code)) {
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
  throwIfFailed(): void {
    if (this.#hasFailed) throw new CommandFailure(UNEXPECTED);
  }
}
