import { RequestError } from '@hearth/core/error/request-error.ts';
import { canonicalJson, parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Principal } from '../../access/principal.ts';
import type { HeldBytes } from '../../platform/held-bytes.ts';
import type { Logger } from '../../platform/logger.ts';
import type { KvRead, KvStore } from '../../storage/kv/store.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Database } from './database.ts';
import { decodeSessionId, PendingWrites, queueEndKey, queueHeaderKey } from './disconnect-writes.ts';
import { executeWrite } from './write.ts';

/** Size of a session's queue that no pool counts, in bytes. */
export const FREE_DISCONNECT_BYTES = 4_096;

/** The session that owns a queue. */
export interface QueueOwner {
  readonly id: string;
  readonly database: Database;
  readonly identity: Principal;
  /** The size of the queue. */
  readonly disconnectBytes: HeldBytes;
}

/**
 * The header of a session's queue. It is stored beside the rows of the queue, so that the queue is executed even
 * if the server dies with the session. JSON with exact integers. Version history: 1, everything in one value; 2,
 * a row for each path.
 */
interface QueueHeader {
  readonly v: 2;
  readonly database: string;
  readonly identity: Principal;
  readonly bytes: number;
  /** Number of queued paths. */
  readonly places: number;
}

/** Whether the writes of an ended session were executed, or postponed because the disk is full. */
export type EndOutcome = 'done' | 'postponed';

/**
 * Changes the queue of a session. The change is durable with the transaction. Throws and changes nothing with
 * `store/full`, `write/too-big` beyond the limits of a queue, `path/too-long`, or `request/overload` if all queues
 * together are too big.
 */
export function changeQueue(
  transaction: WriteTransaction,
  { id, database, identity, disconnectBytes }: QueueOwner,
  change: (pending: PendingWrites) => void,
): void {
  transaction.assertDiskSpace();
  const { bytes, places } = findHeader(transaction.tx, id) ?? { bytes: 0, places: 0 };
  const pending = new PendingWrites(transaction.tx, id, { bytes, places });
  try {
    change(pending);
    if (!disconnectBytes.hold(pending.size.bytes))
      throw new RequestError(
        'request/overload',
        'Clients of your network have too many onDisconnect writes. Cancel some of them.',
      );
    transaction.onRollback(() => disconnectBytes.hold(bytes));
  } catch (error) {
    // Any other error rolls back the whole transaction.
    if (error instanceof RequestError) pending.rollback();
    throw error;
  }
  if (pending.size.places > 0)
    putHeader(transaction, id, { v: 2, database: database.name, identity, ...pending.size });
  else if (places > 0) transaction.tx.remove('sessions', queueHeaderKey(id));
}

/**
 * Stores the session's current principal, so that the queue is executed as this principal if the server dies
 * with the session. Does nothing if the disk is full: a session that is still alive knows its principal.
 */
export function storePrincipal(transaction: WriteTransaction, sessionId: string, identity: Principal): void {
  if (!transaction.isWritable) return;
  const header = findHeader(transaction.tx, sessionId);
  if (header !== undefined) putHeader(transaction, sessionId, { ...header, identity });
}

/**
 * Executes the queue of an ended session as one write under the current rules, and removes the queue. If the
 * disk is full, does neither and returns `postponed`. The write runs as `identity`, or else as the stored
 * principal. A rejected queue is dropped whole, because no client is left to receive the error. Throws when the
 * queue cannot be read.
 */
export function endDisconnected(
  transaction: WriteTransaction,
  database: Database,
  sessionId: string,
  identity?: Principal,
): EndOutcome {
  const header = findHeader(transaction.tx, sessionId);
  if (header === undefined) return 'done';
  if (!transaction.isWritable) return 'postponed';
  const pending = new PendingWrites(transaction.tx, sessionId, header);
  const writes = pending.read();
  try {
    executeWrite(transaction, database, {
      operation: 'onDisconnect',
      identity: identity ?? header.identity,
      writes,
    });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
  }
  pending.clear();
  transaction.tx.remove('sessions', queueHeaderKey(sessionId));
  return 'done';
}

/** Returns the number of paths in the queue of a session. */
export function countPending(tx: KvRead, sessionId: string): number {
  return findHeader(tx, sessionId)?.places ?? 0;
}

/** Returns the first session after `after`, in order of session ids, that has stored data. */
export function findNextQueue(tx: KvRead, after: string | undefined): string | undefined {
  const range = after === undefined ? {} : { lower: queueEndKey(after) };
  for (const { key } of tx.scan('sessions', range)) return decodeSessionId(key);
  return undefined;
}

/**
 * Returns the database of a session's queue. Throws when the queue has no header or was written by another
 * version.
 */
export function readQueueDatabase(tx: KvRead, sessionId: string): string {
  const header = findHeader(tx, sessionId);
  if (header === undefined) throw new Error('The stored queue of a session has no header.');
  return header.database;
}

/** Returns the header of a session's queue. Checks only its version, because Hearth itself wrote the bytes. */
function findHeader(tx: KvRead, sessionId: string): QueueHeader | undefined {
  const bytes = tx.find('sessions', queueHeaderKey(sessionId));
  if (bytes === undefined) return undefined;
  const header = parseJsonText(bytes.toString()) as QueueHeader;
  if (header.v !== 2) throw new Error('The queue of a session was written by another version of Hearth.');
  return header;
}

function putHeader(transaction: WriteTransaction, sessionId: string, header: QueueHeader): void {
  transaction.tx.put('sessions', queueHeaderKey(sessionId), Buffer.from(canonicalJson(header)));
}

/** Executes later the queued writes of sessions that could not be executed when the session ended. */
export interface UnfinishedSessions {
  add(sessionId: string, database: string, identity: Principal): void;
}

export interface LostSessionsOptions {
  readonly store: KvStore;
  readonly scheduler: TransactionScheduler;
  readonly logger: Logger;
  readonly openDatabase: (name: string, transaction: WriteTransaction) => Database;
  /** Delay before the next attempt, in ms. */
  readonly retryMs?: number;
}

interface LostSession {
  readonly database: string;
  /** The session's last principal, if it is more recent than the stored one. */
  readonly identity: Principal | undefined;
}

/** Maximum number of sessions tracked in memory. The queues of further sessions are executed at the next start. */
const MAX_WAITING = 100_000;

const RETRY_MS = 1_000;

/**
 * Executes the disconnect queues of sessions whose end could not execute them: because the server died, because
 * the disk was full, or because of a bug. Each transaction ends one session, so that memory holds one queue.
 */
export class LostSessions implements Disposable, UnfinishedSessions {
  readonly #options: LostSessionsOptions;
  readonly #waiting = new Map<string, LostSession>();
  #timer: NodeJS.Timeout | undefined;
  #isRetrying = false;
  #isStopped = false;

  constructor(options: LostSessionsOptions) {
    this.#options = options;
  }

  /** Takes over the queue of a session that has ended. The session id must not be used again. */
  add(sessionId: string, database: string, identity?: Principal): void {
    if (this.#waiting.size >= MAX_WAITING) return;
    this.#waiting.set(sessionId, { database, identity });
    this.#schedule();
  }

  /**
   * Executes the queues that remained when the server died, in order of session ids. Must be called before
   * serving. If the disk is full, the queues wait for `retry`. A queue that cannot be read stays in the store.
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
        logger.error({ err: error }, QUEUE_FAILED_MESSAGE);
      }
    }
  }

  /** Retries now, session after session, until the disk is full. */
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

  /** A queue that fails with a bug again stays until the next start. */
  async #tryEnd(id: string, lost: LostSession): Promise<EndOutcome> {
    try {
      return await this.#end(id, lost);
    } catch (error) {
      this.#options.logger.error({ err: error, database: lost.database }, QUEUE_FAILED_MESSAGE);
      return 'done';
    }
  }

  #end(id: string, { database, identity }: LostSession): Promise<EndOutcome> {
    const { scheduler, openDatabase } = this.#options;
    return scheduler.request((transaction) =>
      endDisconnected(transaction, openDatabase(database, transaction), id, identity),
    );
  }
}

const QUEUE_FAILED_MESSAGE = 'the writes on disconnect of a session could not be executed and remain stored';
