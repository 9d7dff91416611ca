import type { NotPromise } from '../storage/kv/store.ts';

/**
 * The record store that all projects share.
 *
 * | path                         | record                                            |
 * |------------------------------|---------------------------------------------------|
 * | projects / id                | number, settings                                  |
 * | apiKeys / key                | the ID of the project that the key selects        |
 * | apiKeysOf / project / key    | creation time, in ms                              |
 * | members / project / uid      | see `auth/roles/member-store.ts`                  |
 * | notices / project / kind     | see `auth/roles/owner-notices.ts`                 |
 * | alerts / project / …          | see `auth/alerts/alert-store.ts`                  |
 * | providers / project / kind / id | see `auth/providers/provider-config-store.ts`     |
 * | ownerLink                    | see `auth/roles/owner-setup.ts`                   |
 * | databases…                   | see `auth/projects/database-owners.ts`            |
 * | hashParameters / id          | see `auth/passwords/hash-parameter-store.ts`      |
 * | service-account…             | see `auth/projects/service-accounts.ts`           |
 * | signing-keys                 | see `auth/tokens/signing-keys.ts`                 |
 * | appCheckDebugTokens / project / app / id | see `auth/app-check/debug-tokens.ts`       |
 * | appCheckConsumed / project / hour / id | see `auth/app-check/consumed-tokens.ts`      |
 * | passwordCost                 | see `auth/passwords/argon2-calibration.ts`        |
 * | passwordFloor                | see `auth/services.ts`                            |
 */
export const INSTALLATION = 'installation';

/**
 * The path of a record from the root of its record store. A segment may be any text that is not empty. Texts
 * of up to 255 characters always fit.
 */
export type RecordPath = readonly string[];

export interface RecordRow {
  readonly key: string;
  /** The JSON value, in the form that `RecordView.find` returns. */
  readonly value: unknown;
}

/**
 * Selects children in key order; see `RecordView.list`. At most one of `from`, `after` and `prefix` may be given.
 */
export interface RowRange {
  /** Lower bound, inclusive. */
  readonly from?: string;
  /** Lower bound, exclusive. */
  readonly after?: string;
  /** Upper bound, exclusive. */
  readonly before?: string;
  /**
   * Selects the keys that begin with this text, and the text itself. Keys that are whole numbers are left out,
   * because they sort apart from other text.
   */
  readonly prefix?: string;
  readonly limit: number;
  readonly isReversed?: boolean;
}

/** A record store as of one moment. */
export interface RecordView {
  /**
   * Returns the JSON value at a path, or `undefined` if there is no record. A path that no record can have (a
   * segment is empty or too long) has no record. Arrays are returned as objects whose keys are the array
   * positions.
   */
  find(location: RecordPath): unknown;
  /** Returns the children of a path in key order: whole numbers first, then text by UTF-16 code units. */
  list(location: RecordPath, range: RowRange): readonly RecordRow[];
  /** Returns only the keys of `list`, without reading the values. */
  listKeys(location: RecordPath, range: RowRange): readonly string[];
}

/** A record store within a transaction. Reads return the state from before the transaction, even after a write. */
export interface RecordTransaction extends RecordView {
  /**
   * Replaces the value at a path when the transaction commits. `null` and `undefined` remove the record. Member
   * names must be valid keys of a tree. Empty objects and `null` members are dropped.
   *
   * A transaction may write both a path and a path below it only if the upper write is a removal. The removal
   * discards earlier writes below it; later writes below it are the only content that remains.
   */
  write(location: RecordPath, value: unknown): void;
  /**
   * Adds to the number at a path. An absent number counts as 0. Several calls for one path add up. The
   * transaction must not write at this path, above it or below it.
   */
  increase(location: RecordPath, by: number): void;
}

export interface RecordStoreView {
  records(name: string): RecordView;
}

/** The reads and writes that a transaction can make. */
export interface RecordStoreTransaction extends RecordStoreView {
  /** The server's time, in ms; constant within a transaction. */
  readonly nowMs: number;
  records(name: string): RecordTransaction;
  /** Runs an action once the transaction is durable. */
  onCommit(action: () => void): void;
}

/**
 * Hearth's own record stores. They are trees like those of applications, so they share the code for durability,
 * order and listening. Requests cannot reach them.
 */
export interface RecordStore {
  /** Reads the durable state. */
  read<T>(body: (view: RecordStoreView) => NotPromise<T>): T;
  /**
   * Runs `body` in a transaction and commits all of its writes or none. Resolves when the writes are durable.
   * Rejects with the error that `body` throws, or with a `RequestError` if the disk is full. `body` must be fast and
   * must not have side effects that cannot be rolled back.
   */
  change<T>(body: (transaction: RecordStoreTransaction) => NotPromise<T>): Promise<T>;
  /** Notifies a watcher of every later write, once it is durable. */
  watch(watcher: RecordWatcher): void;
}

/** The recent commits of the record stores. */
export interface RecordHistory {
  /** Returns the number of the last commit of a record store, or 0 before the first commit. */
  lastCommit(records: string): number;
  /**
   * Returns at most `limit` commits of a record store in order, starting after the commit number `after`.
   * Omits commits that are no longer in the log.
   */
  commits(records: string, after: number, limit: number): readonly RecordCommit[];
}

/** The writes of one commit to a record store. */
export interface RecordCommit {
  /** The commits of a record store have the numbers 1, 2, 3 … without gaps. */
  readonly number: number;
  readonly writes: readonly CommittedWrite[];
}

export interface CommittedWrite {
  readonly path: RecordPath;
  readonly isRemoval: boolean;
}

/** Receives a write: the name of the record store, the path and the new value. */
export type RecordWatcher = (records: string, location: RecordPath, value: unknown) => void;
