import { setImmediate } from 'node:timers/promises';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { canonicalJson, parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Principal } from '../../access/principal.ts';
import { type ByteHolder, HeldBytes } from '../../platform/held-bytes.ts';
import type { Logger } from '../../platform/logger.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import type { KvRead, KvStore } from '../../storage/kv/store.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Database } from '../database/database.ts';
import { executeWrite, isAllowedNow } from '../database/write.ts';
import { compareWrites, type DraftWrite } from '../database/write-input.ts';
import {
  decodeSessionId,
  type PendingRequest,
  type PendingSize,
  PendingWrites,
  queueEndKey,
  queueHeaderKey,
  RequestList,
} from './writes.ts';

/** Size of a session's queue that no pool counts, in bytes. */
const FREE_DISCONNECT_BYTES = 4_096;

/** Returns the counter for the bytes of one session's queue, in the pool for all queues. */
export function openDisconnectBytes(pool: ResourcePool, holder: ByteHolder): HeldBytes {
  return new HeldBytes(pool, holder, FREE_DISCONNECT_BYTES);
}

/** The session that owns a queue. */
export interface QueueOwner {
  readonly id: string;
  readonly database: Database;
  readonly identity: Principal;
  /** The size of the queue. */
  readonly disconnectBytes: HeldBytes;
}

/**
 * The header of a session's queue. It is stored next to the rows of the queue, so that the queue is executed even if
 * the server dies with the session. JSON with exact integers. Version history: 1, everything in one value; 2, a row
 * for each path; 3, each row has the number of its request.
 */
interface QueueHeader extends PendingSize {
  readonly v: 3;
  readonly database: string;
  readonly identity: Principal;
}

/**
 * The result of executing the writes of an ended session. `more`: further transactions have to execute the rest.
 * `postponed`: the rest waits, because the disk is full.
 */
export type EndOutcome = 'done' | 'more' | 'postponed';

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
  transaction.assertWritable();
  const before = findHeader(transaction.tx, id) ?? EMPTY;
  const pending = new PendingWrites(transaction.tx, id, before);
  try {
    change(pending);
    if (!disconnectBytes.hold(pending.size.bytes))
      throw new RequestError(
        'request/overload',
        'Clients of your network have too many onDisconnect writes. Cancel some of them.',
      );
    transaction.onRollback(() => disconnectBytes.hold(before.bytes));
  } catch (error) {
    // Any other error rolls back the whole transaction.
    if (error instanceof RequestError) pending.rollback();
    throw error;
  }
  if (pending.size.places > 0)
    putHeader(transaction, id, { v: 3, database: database.name, identity, ...pending.size });
  else if (before.places > 0) transaction.tx.remove('sessions', queueHeaderKey(id));
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
 * Maximum size of the requests that one transaction executes, unless a single request is larger. Bounds how long an
 * ended session holds up others.
 */
const MAX_PART_BYTES = 131_072;

/** Maximum number of paths that one transaction executes, unless a single request has more. */
const MAX_PART_PATHS = 250;

/** Returns whether the whole queue is executed in one transaction, and therefore as one write. */
function isOnePart({ bytes, places }: Pick<PendingSize, 'bytes' | 'places'>): boolean {
  return bytes <= MAX_PART_BYTES && places <= MAX_PART_PATHS;
}

/**
 * Executes the queue of an ended session if one transaction can execute all of it, and removes it. Returns `more` if
 * the queue is larger, and `postponed` if the disk is full; then nothing is executed. Throws when the queue cannot be
 * read.
 */
export function endDisconnected(
  transaction: WriteTransaction,
  database: Database,
  sessionId: string,
  identity: Principal,
): EndOutcome {
  const header = findHeader(transaction.tx, sessionId);
  if (header === undefined) return 'done';
  if (!transaction.isWritable) return 'postponed';
  if (!isOnePart(header)) return 'more';
  const list = new RequestList(sessionId);
  while (!list.read(transaction.tx));
  return new QueueExecution(sessionId, identity, list.requests).executePart(transaction, database);
}

/**
 * Executes the queue of an ended session in one or more transactions under the current rules, in the order of the
 * requests. Each transaction removes the requests that it executes from the queue, so that a later start continues
 * where the server died. The writes run as `identity`, or else as the stored principal.
 */
class QueueExecution {
  readonly #sessionId: string;
  readonly #identity: Principal | undefined;
  /** The requests that are left, the next one last. */
  readonly #left: PendingRequest[];

  constructor(sessionId: string, identity: Principal | undefined, requests: readonly PendingRequest[]) {
    this.#sessionId = sessionId;
    this.#identity = identity;
    this.#left = requests.toReversed();
  }

  /** Executes the next requests. Throws when they cannot be read. */
  executePart(transaction: WriteTransaction, database: Database): EndOutcome {
    const header = findHeader(transaction.tx, this.#sessionId);
    if (header === undefined) return 'done';
    if (!transaction.isWritable) return 'postponed';
    const pending = new PendingWrites(transaction.tx, this.#sessionId, header);
    const part = takePart(this.#left);
    transaction.onRollback(() => this.#left.push(...part.toReversed()));
    const requests = part.map((request) => pending.take(request));
    executeRequests(transaction, database, this.#identity ?? header.identity, requests);
    if (this.#left.length === 0) {
      transaction.tx.remove('sessions', queueHeaderKey(this.#sessionId));
      return 'done';
    }
    putHeader(transaction, this.#sessionId, { ...header, ...pending.size });
    return 'more';
  }
}

/** Removes from the end of `left` the requests of the next transaction, at least one, and returns them. */
function takePart(left: PendingRequest[]): readonly PendingRequest[] {
  const part: PendingRequest[] = [];
  let bytes = 0;
  let places = 0;
  for (;;) {
    const next = left.at(-1);
    if (next === undefined) return part;
    bytes += next.bytes;
    places += next.keys.length;
    if (part.length > 0 && !isOnePart({ bytes, places })) return part;
    part.push(next);
    left.pop();
  }
}

/**
 * Executes requests. Each is decided on its own, and the allowed ones become one write. A rejected request is dropped,
 * because no client is left to receive the error. The allowed requests are then decided once more together: rules that
 * compare new values with each other may deny the combination of requests that they allow one at a time. In that case,
 * each request becomes a write of its own, decided after the previous one.
 */
function executeRequests(
  transaction: WriteTransaction,
  database: Database,
  identity: Principal,
  requests: readonly (readonly DraftWrite[])[],
): void {
  const context = { operation: 'onDisconnect', identity } as const;
  const allowed =
    requests.length === 1
      ? requests
      : requests.filter((writes) => isAllowedNow(transaction, database, context, writes));
  const isExecuted = (writes: readonly DraftWrite[]): boolean => {
    try {
      executeWrite(transaction, database, { ...context, writes });
      return true;
    } catch (error) {
      if (error instanceof RequestError) return false;
      throw error;
    }
  };
  if (allowed.length === 0 || isExecuted(allowed.flat().sort(compareWrites)) || allowed.length === 1) return;
  for (const writes of allowed) isExecuted(writes);
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
  const header = parseJsonText(bytes.toString()) as Omit<QueueHeader, 'v'> & { readonly v: 2 | 3 };
  // Version 2 is only read to be executed: no session outlives the server that wrote its queue.
  if (header.v === 2) return { ...header, v: 3, requests: 0 };
  if (header.v !== 3) throw new Error('The queue of a session was written by another version of Hearth.');
  return { ...header, v: 3 };
}

function putHeader(transaction: WriteTransaction, sessionId: string, header: QueueHeader): void {
  transaction.tx.put('sessions', queueHeaderKey(sessionId), Buffer.from(canonicalJson(header)));
}

/** Executes later the queued writes of sessions that were not executed when the session ended. */
export interface UnfinishedSessions {
  /** Adds a queue that has to wait: the disk is full, or a bug prevented its execution. */
  add(sessionId: string, database: string, identity: Principal): void;
  /**
   * Executes a queue that is too large for one transaction. Resolves when it is executed, or has to wait because the
   * disk is full.
   */
  finish(sessionId: string, database: string, identity: Principal): Promise<void>;
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
  /** Called when the queue is executed or has to wait. */
  readonly settle?: () => void;
}

/** Maximum number of sessions tracked in memory. The queues of further sessions are executed at the next start. */
const MAX_WAITING = 100_000;

const RETRY_MS = 1_000;

const EMPTY: PendingSize = { bytes: 0, places: 0, requests: 0 };

/**
 * Executes the disconnect queues that were not executed when their session ended. Reasons: the queue is large, the server
 * died, the disk was full, or there is a bug. Each transaction executes a part of one queue, and queues are executed one
 * after another, so that memory holds only a part of one queue.
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

  add(sessionId: string, database: string, identity?: Principal): void {
    if (this.#waiting.size >= MAX_WAITING) return;
    this.#waiting.set(sessionId, { database, identity });
    this.#schedule();
  }

  finish(sessionId: string, database: string, identity: Principal): Promise<void> {
    if (this.#isStopped || this.#waiting.size >= MAX_WAITING) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(sessionId, { database, identity, settle: resolve });
    void this.retry();
    return promise;
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
    // The iteration includes sessions that are added in the meantime.
    for (const [id, lost] of this.#waiting) {
      if (this.#isStopped || (await this.#tryEnd(id, lost)) === 'postponed') break;
      this.#waiting.delete(id);
      lost.settle?.();
    }
    for (const { settle } of this.#waiting.values()) settle?.();
    this.#isRetrying = false;
    this.#timer = undefined;
    this.#schedule();
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    for (const { settle } of this.#waiting.values()) settle?.();
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

  async #end(id: string, { database, identity }: LostSession): Promise<EndOutcome> {
    const { store, scheduler, openDatabase } = this.#options;
    const list = new RequestList(id);
    while (!store.read((tx) => list.read(tx))) await setImmediate();
    const execution = new QueueExecution(id, identity, list.requests);
    for (;;) {
      const outcome = await scheduler.request((transaction) =>
        execution.executePart(transaction, openDatabase(database, transaction)),
      );
      if (outcome !== 'more') return outcome;
      // The rest stays in the store, and the next start continues.
      if (this.#isStopped) return 'postponed';
    }
  }
}

const QUEUE_FAILED_MESSAGE = 'the writes on disconnect of a session could not be executed and remain stored';
