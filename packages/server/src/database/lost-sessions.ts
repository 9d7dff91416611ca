import type { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import type { Identity } from '../identity/identity.ts';
import type { KvStore } from '../kv/store.ts';
import type { Logger } from '../ops/logger.ts';
import type { Database } from './database.ts';
import { type EndOutcome, endDisconnected, findNextQueue, readQueueDatabase } from './disconnect-queue.ts';

export interface LostSessionsOptions {
  readonly store: KvStore;
  readonly committer: Committer;
  readonly logger: Logger;
  readonly openDatabase: (name: string, turn: Turn) => Database;
  /** How long to wait before trying again, in ms. */
  readonly retryMs?: number;
}

interface LostSession {
  readonly database: string;
  /** Who it was last, where that is known better than the store does. */
  readonly identity: Identity | undefined;
}

/** Most sessions that are remembered; what the others left is written at the next start. */
const MAX_WAITING = 100_000;

const RETRY_MS = 1_000;

/**
 * Executes what sessions left to be written when it could not be done at their end: because the server died under them,
 * because there was no room, or because of a bug. One session in a turn, so that memory holds the queue of one.
 */
export class LostSessions implements Disposable {
  readonly #options: LostSessionsOptions;
  readonly #waiting = new Map<string, LostSession>();
  #timer: NodeJS.Timeout | undefined;
  #isRetrying = false;
  #isStopped = false;

  constructor(options: LostSessionsOptions) {
    this.#options = options;
  }

  /** Takes over a session that has ended. Its id must not be used again. */
  add(sessionId: string, database: string, identity?: Identity): void {
    if (this.#waiting.size >= MAX_WAITING) return;
    this.#waiting.set(sessionId, { database, identity });
    this.#schedule();
  }

  /**
   * Executes what was left when the server died, in the order of the names of the sessions; to be called before serving.
   * What cannot be executed now waits for room, and what cannot be read stays.
   */
  async finishAll(): Promise<void> {
    const { store, logger } = this.#options;
    let isFull = false;
    let sessionId: string | undefined;
    for (;;) {
      sessionId = store.read((tx) => findNextQueue(tx, sessionId));
      if (sessionId === undefined) return;
      const id = sessionId;
      try {
        const database = store.read((tx) => readQueueDatabase(tx, id));
        isFull ||= (await this.#end(id, { database, identity: undefined })) === 'postponed';
        if (isFull) this.add(id, database);
      } catch (error) {
        logger.error({ err: error }, LEFT);
      }
    }
  }

  /** Tries again now, session after session, until there is no room. */
  async retry(): Promise<void> {
    if (this.#isRetrying) return;
    this.#isRetrying = true;
    clearTimeout(this.#timer);
    for (const [id, lost] of this.#waiting) {
      if (this.#isStopped || (await this.#tryEnd(id, lost)) === 'postponed') break;
      this.#waiting.delete(id);
    }
    this.#isRetrying = false;
    this.#timer = undefined;
    this.#schedule();
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#isStopped || this.#timer !== undefined || this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => void this.retry(), this.#options.retryMs ?? RETRY_MS);
    this.#timer.unref();
  }

  /** What hits a bug again is left for the next start. */
  async #tryEnd(id: string, lost: LostSession): Promise<EndOutcome> {
    try {
      return await this.#end(id, lost);
    } catch (error) {
      this.#options.logger.error({ err: error, database: lost.database }, LEFT);
      return 'done';
    }
  }

  #end(id: string, { database, identity }: LostSession): Promise<EndOutcome> {
    const { committer, openDatabase } = this.#options;
    return committer.request((turn) => endDisconnected(turn, openDatabase(database, turn), id, identity));
  }
}

const LEFT = 'what a session left to be written could not be executed, and stays';
