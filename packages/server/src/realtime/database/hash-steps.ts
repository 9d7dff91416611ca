import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { RequestContext } from '../../access/authorization-request.ts';
import { FairPlaces } from '../../platform/fair-queue.ts';
import { MANY_CLIENTS } from '../../platform/resource-pool.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import {
  type Database,
  type HashSteps,
  PostponedRequest,
  type Postponement,
  type StepwiseReads,
} from './database.ts';
import type { Watcher } from './listens.ts';
import { unlessTooBig } from './snapshot-read.ts';

/** Size of stored text above which it is hashed in steps, in bytes. Hashing takes several times as long as reading. */
export const MAX_HASHED_AT_ONCE_BYTES = 16_384;

/** Number of times that a request begins to hash a node in steps, because the node changed before the request ran again. */
const MAX_HASH_ATTEMPTS = 3;

/** Maximum number of nodes that are hashed for requests at the same time. Further requests wait. */
const MAX_HASHING = 4;

const PLACES = new FairPlaces(MAX_HASHING);

/** Computes a hash in steps, and caches it while `isCurrent` returns true. */
type OpenCachedSteps = (isCurrent: () => boolean) => HashSteps;

/**
 * A node that is hashed in steps, from a snapshot. The cache keeps the hash until the node changes, so that the waiting
 * request costs little when it runs again.
 */
class NodeHash implements Postponement, Watcher {
  readonly isImmediate = true;
  readonly #database: Database;
  readonly #path: Path;
  readonly #stepwise: StepwiseReads;
  readonly #network: string;
  readonly #openSteps: OpenCachedSteps;
  #attempts = 0;
  #hash: string | undefined;
  #failure: RequestError | undefined;
  #isTouched = false;
  #isStopped = false;

  constructor(
    database: Database,
    stepwise: StepwiseReads,
    path: Path,
    network: string,
    openSteps: OpenCachedSteps,
  ) {
    this.#database = database;
    this.#stepwise = stepwise;
    this.#path = path;
    this.#network = network;
    this.#openSteps = openSteps;
  }

  /** Number of times that the computation has run. */
  get attempts(): number {
    return this.#attempts;
  }

  /** Returns the hash that the last run has computed, or `undefined`. Throws the error that has ended it. */
  findHash(): string | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#hash;
  }

  onTouched(): void {
    this.#isTouched = true;
  }

  /** Computes the hash of the current state. Never rejects with a `RequestError`. */
  async run(): Promise<void> {
    this.#attempts += 1;
    await PLACES.enter(this.#network);
    try {
      this.#hash = await this.compute();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#failure = error;
    } finally {
      PLACES.leave(this.#network);
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Computes the hash of the current state, or of that in the running transaction, without waiting for a place. */
  async compute(): Promise<string> {
    const { listens } = this.#database;
    this.#isTouched = false;
    listens.addWatcher(this.#path, this);
    try {
      const steps = this.#openSteps(() => !this.#isTouched);
      return await this.#stepwise.compute(steps, () => this.#isStopped);
    } finally {
      listens.removeWatcher(this.#path, this);
    }
  }
}

/** The hashes that are computed for requests, each by an object that stays the same when the request runs again. */
const PENDING = new WeakMap<object, NodeHash>();

/** A hash of a node. It may be that of an earlier state, if the node changes faster than it can be hashed. */
export interface FoundHash {
  readonly hash: string;
  readonly isCurrent: boolean;
}

/**
 * Returns the hash of a node for a request, `''` if the node is absent. Throws `PostponedRequest` if the node has to be
 * hashed in steps, and `read/too-big` if it is too big to be hashed. `request` is the same object when the request runs
 * again.
 */
export function findHash(
  transaction: WriteTransaction,
  database: Database,
  { networkOf }: RequestContext,
  path: Path,
  request: object,
): FoundHash {
  const tree = database.tree(transaction);
  const { stepwise } = database;
  if (stepwise === null) return { hash: tree.hash(path), isCurrent: true };
  const current = unlessTooBig(() => tree.hash(path, MAX_HASHED_AT_ONCE_BYTES));
  if (current !== undefined) {
    PENDING.delete(request);
    return { hash: current, isCurrent: true };
  }
  const network = networkOf?.() ?? MANY_CLIENTS;
  const pending =
    PENDING.get(request) ??
    new NodeHash(database, stepwise, path, network, (isCurrent) => tree.cachedHashSteps(path, isCurrent));
  PENDING.set(request, pending);
  const hash = pending.findHash();
  if (hash === undefined || pending.attempts < MAX_HASH_ATTEMPTS) throw new PostponedRequest(pending);
  return { hash, isCurrent: false };
}

/**
 * Returns the hash of a node after a write of the running transaction, `''` if the node is absent. The hash of a large
 * node is computed after the transaction, from the state within the transaction; `null` if it cannot be computed.
 */
export function hashAfterWrite(
  transaction: WriteTransaction,
  database: Database,
  path: Path,
): string | Promise<string | null> {
  const tree = database.tree(transaction);
  const { stepwise } = database;
  if (stepwise === null) return tree.hash(path);
  const hash = unlessTooBig(() => tree.hash(path, MAX_HASHED_AT_ONCE_BYTES));
  if (hash !== undefined) return hash;
  const openSteps: OpenCachedSteps = (isCurrent) => tree.cachedHashSteps(path, isCurrent);
  return new NodeHash(database, stepwise, path, MANY_CLIENTS, openSteps).compute().catch(ignoreRequestError);
}

/** Returns `null` for an error of a request, because the write has succeeded. */
function ignoreRequestError(error: unknown): null {
  if (error instanceof RequestError) return null;
  throw error;
}

/** The outcome of an attempt of a request: its result, or the work for which it has to wait. */
type Attempt<T> =
  | { readonly kind: 'done'; readonly result: T }
  | { readonly kind: 'postponed'; readonly wait: Postponement };

/**
 * Runs a request, and again when what it has to wait for is done. `request` executes a body in a transaction, and resolves
 * with its result.
 */
export async function runUntilDone<T>(
  request: (body: (transaction: WriteTransaction, database: Database) => Attempt<T>) => Promise<Attempt<T>>,
  body: (transaction: WriteTransaction, database: Database) => T,
): Promise<T> {
  for (;;) {
    const attempt = await request((transaction, database) => {
      try {
        return { kind: 'done', result: body(transaction, database) };
      } catch (error) {
        if (error instanceof PostponedRequest) return { kind: 'postponed', wait: error.wait };
        throw error;
      }
    });
    if (attempt.kind === 'done') return attempt.result;
    await attempt.wait.run();
  }
}
