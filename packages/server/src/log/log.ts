import type { KvRead, KvWrite, NotPromise } from '../kv/store.ts';
import type { Author, Commit, CommitWrite, Seq } from './commit.ts';

/** Where the history of a database stands. */
export interface Head {
  /** Of the last commit; 0 before the first. */
  readonly seq: Seq;
  /** Of the last commit, so that time never decreases; 0 before the first. */
  readonly timeMs: number;
}

/** A commit before the log has numbered it. */
export interface NewCommit {
  readonly database: string;
  readonly timeMs: number;
  readonly author: Author;
  readonly writes: readonly CommitWrite[];
}

/** The part of a turn that the log sees: a view, and commits appended to it. */
export interface LogTurn {
  /** State after everything decided so far. What is written here becomes part of the turn. */
  readonly tx: KvWrite;
  /** Numbers and records a commit whose effects were written to `tx`. */
  append(commit: NewCommit): Commit;
}

export interface Sequenced<T> {
  readonly result: T;
  /** Resolves once every commit of the turn survives a crash; nothing that depends on them may be told before. */
  readonly durable: Promise<void>;
}

/**
 * The ordered record of commits, of which the store is a reader. Callers assume neither that it is local nor that
 * a turn is durable when `sequence` returns: embedded in the store it is, replicated it is not.
 */
export interface CommitLog {
  /**
   * Runs one turn: its commits are recorded in order, all or none. When `body` throws, nothing has happened and the
   * error is thrown on. Throws `StoreFull` when there is no room; nothing has happened then either.
   */
  sequence<T>(body: (turn: LogTurn) => NotPromise<T>): Sequenced<T>;
  /** Where a database stands, as `tx` sees it. */
  head(tx: KvRead, database: string): Head;
  /** Commits after `after` in order, as far back as they are kept; at most `limit`. */
  read(database: string, after: Seq, limit: number): readonly Commit[];
}
