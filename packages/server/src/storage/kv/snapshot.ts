import type { KvRead, KvStore, KvWrite, Table } from './store.ts';

/** The tables that snapshots cover: those with application data, because reading them takes long. */
export const SNAPSHOT_TABLES = ['tree', 'index'] as const satisfies readonly Table[];

/**
 * The tables of `SNAPSHOT_TABLES` as they were when the snapshot was opened, including earlier writes of the
 * transaction that was running then. It is read inside the bodies of `read` and `transact` of its store. A scan
 * may span several bodies. Reads throw `SnapshotExpired` after the snapshot has been evicted.
 */
export interface KvSnapshot extends KvRead, Disposable {}

/** The owner of an open snapshot. */
export interface SnapshotHolder {
  /** Called with the reason when the snapshot is evicted. */
  readonly onExpired?: (reason: string) => void;
  /**
   * Returns the time since the owner last used the snapshot, in ms. Without it, the snapshot never counts as
   * idle.
   */
  readonly idleMs?: () => number;
}

/** A store that can provide snapshots of its state while it keeps changing. */
export interface SnapshotKvStore extends KvStore {
  /**
   * Opens a snapshot of the current state, which lasts until it is disposed of. If too many snapshots are open,
   * evicts the one with the longest idle time if it was idle long enough, and otherwise returns `undefined`. If
   * a transaction fails, snapshots opened in it are evicted.
   */
  openSnapshot(holder?: SnapshotHolder): KvSnapshot | undefined;
  /** Returns whether `dropStep` has anything to remove. */
  hasStale(): boolean;
  /**
   * Removes at most `maxRemovals` preimages of closed snapshots. Returns how many were removed. Fewer than
   * `maxRemovals` means that none are left.
   */
  dropStep(tx: KvWrite, maxRemovals: number): number;
}

/**
 * Thrown when a snapshot is read after its eviction: too much has changed since, another snapshot needed its
 * slot, or the transaction that opened it failed.
 */
export class SnapshotExpired extends Error {
  constructor(reason: string) {
    super(`The snapshot that this operation reads has expired: ${reason}.`);
    this.name = 'SnapshotExpired';
  }
}
