import type { KvRead, KvWrite, NotPromise } from '../kv/store.ts';
import type { Author, Commit, CommitWrite, Seq } from './commit.ts';

/** The end of a database's log. */
export interface Head {
  /** Number of the last commit; 0 before the first. */
  readonly seq: Seq;
  /** Time of the last commit in ms, so that commit times never decrease; 0 before the first. */
  readonly timeMs: number;
}

/** A commit that has no number yet. */
export interface NewCommit {
  readonly database: string;
  readonly timeMs: number;
  readonly author: Author;
  readonly writes: readonly CommitWrite[];
}

/** The part of a transaction that the log provides: a view of the state, and a method to append commits. */
export interface LogTransaction {
  /** The state after all writes of the transaction so far. Writes to it become part of the transaction. */
  readonly tx: KvWrite;
  /** Assigns a number to a commit whose effects were written to `tx`, and records it. */
  append(commit: NewCommit): Commit;
}

/** The commits that a log keeps of each database. The oldest are removed. */
export interface LogLimits {
  readonly commits: number;
  /** Maximum size of the commits. The last one is kept even if it is longer. */
  readonly bytes: number;
}

export interface Sequenced<T> {
  readonly result: T;
  /**
   * Resolves once every commit of the transaction survives a crash. Results that depend on these commits must
   * not be sent earlier.
   */
  readonly durable: Promise<void>;
}

/**
 * The ordered log of all commits. Callers must not assume that the log is local, or that a transaction is
 * durable when `sequence` returns. Both are true for a log embedded in the store, but not for a replicated log.
 */
export interface CommitLog {
  readonly limits: LogLimits;
  /**
   * Runs one transaction and records its commits in order, all or none. If `body` throws, the transaction is
   * rolled back and the error is rethrown. If the disk is full or fails, rolls back and throws `StoreFull` or
   * `StoreFailing`.
   */
  sequence<T>(body: (transaction: LogTransaction) => NotPromise<T>): Sequenced<T>;
  /** Resolves when the next transaction may begin; `undefined` if it may begin now. */
  whenReady(): Promise<void> | undefined;
  /** Returns the head of a database's log, as `tx` sees it. */
  head(tx: KvRead, database: string): Head;
  /**
   * Returns at most `limit` commits after `after`, in order. Commits that the log no longer has are left out. If
   * `maxBytes` is given, stops once the commits are longer, but returns at least one if there is any.
   */
  read(database: string, after: Seq, limit: number, maxBytes?: number): readonly Commit[];
  /** Like `read`, as a running transaction sees the log. */
  readIn(tx: KvRead, database: string, after: Seq, limit: number, maxBytes?: number): readonly Commit[];
}
