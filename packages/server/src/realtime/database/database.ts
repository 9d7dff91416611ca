import type { Entry, Query } from '@hearth/core/query/query.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { ByteHolder } from '../../platform/held-bytes.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import type { DecisionObserver } from '../../rules/decision.ts';
import type { KvRead } from '../../storage/kv/store.ts';
import type { PendingText } from '../../storage/transaction/outgoing-message.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { DatabaseActivity } from '../monitoring/database-activity.ts';
import type { Profiler } from '../monitoring/profiler.ts';
import type { DatabaseTriggers } from '../triggers/triggers.ts';
import { ListenRegistry, type QueryListen } from './listens.ts';
import { ReadChecks, type Reader, type RunInTransaction } from './read-checks.ts';
import type { DatabaseTree } from './tree-view.ts';

/** Work for which a request waits. */
export interface Postponement {
  /** Continues the work. Resolves when the request should run again. */
  run(): Promise<void>;
  /** Ends the work. Idempotent. */
  stop(): void;
}

/** A query that is evaluated in steps, and follows the changes at its path until it is stopped. */
export interface PendingScan extends Postponement {
  /** Number of children read so far, and the time since the start. */
  readonly cost: { readonly children: number; readonly ms: number };
  /**
   * Returns the children that the query selects in the state of `tx`, or `undefined` if the scan has to continue. Throws
   * `request/overload` if it cannot.
   */
  findEntries(tx: KvRead): readonly Entry[] | undefined;
}

/** Computes a result in steps, from any view of the current state. */
export type ReadSteps<T> = (tx: KvRead) => Iterator<void, T>;

/** Computes a hash in steps. */
export type HashSteps = ReadSteps<string>;

/** A value that is generated in steps. */
export interface ValueRequest {
  readonly database: string;
  readonly path: Path;
  readonly openPieces: (tx: KvRead) => Iterator<Buffer>;
  readonly openHash: HashSteps | null;
  readonly expectedHash: string;
  readonly memory: ScanMemory;
  /** Returns the memory of another client that receives the value, once `memory` does not suffice. */
  readonly otherMemory?: () => ScanMemory | undefined;
}

/** Thrown by a request that has to wait. It runs again after `wait.run`. */
export class PostponedRequest extends Error {
  readonly wait: Postponement;
  /** The scan for which it waits, if it waits for one. */
  readonly scan: PendingScan | undefined;

  constructor(wait: Postponement, scan?: PendingScan) {
    super('The request waits for work that is done in steps.');
    this.name = 'PostponedRequest';
    this.wait = wait;
    this.scan = scan;
  }
}

/** The memory of all listens, in bytes, and the peer that holds a part of it. */
export interface ScanMemory {
  readonly pool: ResourcePool;
  readonly holder: ByteHolder;
}

/** Does work in steps that would take too long in one transaction. */
export interface StepwiseReads {
  /** Starts to follow the changes at a path. `run` begins to evaluate the query. */
  start(database: Database, path: Path, query: Query, memory: ScanMemory): PendingScan;
  /** Evaluates the query of a listen again and sends the changes, or with `isWhole` the whole result. */
  refill(database: Database, listen: QueryListen, isWhole: boolean): void;
  /**
   * Whether the whole result of a listen will be sent. Until then, its window is out of date, and its changes are not
   * sent.
   */
  isOutdated(listen: QueryListen): boolean;
  /**
   * Starts to generate a value in the state of the running transaction. Throws `PostponedRequest` while too many values
   * are being generated, `read/too-big` if the value was too long a short time ago, and `request/overload` if it cannot.
   */
  startValue(request: ValueRequest): PendingText;
  /** Like `startValue`, but never postpones: the value is part of a commit. */
  startPushedValue(request: ValueRequest): PendingText;
  /**
   * Computes a result from the current state, or from that in the running transaction. Rejects with `request/overload` if
   * that state cannot be kept, or `isStopped` returns true.
   */
  compute<T>(openSteps: ReadSteps<T>, isStopped: () => boolean): Promise<T>;
  readonly runInTransaction: RunInTransaction;
}

/** An open database: its rules, its listens and sessions, and access to its tree. */
export class Database {
  readonly name: string;
  readonly listens = new ListenRegistry();
  readonly readers = new Set<Reader>();
  /** Subscribers that impersonate a user without being connected. */
  readonly ruleSubscribers = new Set<Reader>();
  readonly activity = new DatabaseActivity(() => this.readers.size);
  /** Set while an administrator profiles the database. */
  profiler: Profiler | null = null;
  /** `null` if writes trigger no functions. */
  triggers: DatabaseTriggers | null = null;
  /** `null` if everything is read within one transaction. */
  stepwise: StepwiseReads | null = null;
  /** `null` if rule decisions are not recorded. */
  decisions: DecisionObserver | null = null;
  /** A monotonic clock for measuring durations, in ms. */
  readonly elapsedMs: () => number;
  readonly #openTree: (transaction: WriteTransaction) => DatabaseTree;
  readonly #readChecks: ReadChecks;
  #rules: RuleSet;

  constructor(
    name: string,
    rules: RuleSet,
    openTree: (transaction: WriteTransaction) => DatabaseTree,
    elapsedMs: () => number = () => 0,
  ) {
    this.name = name;
    this.#rules = rules;
    this.#openTree = openTree;
    this.elapsedMs = elapsedMs;
    this.#readChecks = new ReadChecks(elapsedMs);
  }

  get rules(): RuleSet {
    return this.#rules;
  }

  /** Opens the tree within one transaction. */
  tree(transaction: WriteTransaction): DatabaseTree {
    return this.#openTree(transaction);
  }

  /** Resolves when all reads are authorized under the current rules. */
  get readsChecked(): Promise<void> {
    return this.#readChecks.done;
  }

  /** Makes other rules take effect and authorizes all reads again, many of them after the transaction. */
  replaceRules(transaction: WriteTransaction, rules: RuleSet): void {
    const before = this.#rules;
    this.#rules = rules;
    transaction.onRollback(() => {
      this.#rules = before;
    });
    const readers = [...this.readers, ...this.ruleSubscribers];
    this.#readChecks.start(transaction, this.stepwise?.runInTransaction ?? null, readers);
  }

  /** Whether no session is connected, so that discarding this object loses little. */
  get isIdle(): boolean {
    return (
      this.readers.size === 0 &&
      this.listens.count === 0 &&
      this.profiler === null &&
      !this.activity.isWatched
    );
  }
}
