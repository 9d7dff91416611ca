import type { KvRead, KvStore, KvWrite, Table } from './store.ts';

/** The tables that snapshots keep: the data, which is what takes long to read. */
export const SNAPSHOT_TABLES = ['tree', 'index'] as const satisfies readonly Table[];

/**
 * The tables of `SNAPSHOT_TABLES` as they were when it was opened, what the running transaction had written included.
 * It is read in the bodies of `read` and `transact` of its store, in as many as it takes: a scan that is left in one body
 * goes on in another. Reads throw `SnapshotGone` once the snapshot had to be given up.
 */
export interface KvSnapshot extends KvRead, Disposable {}

/** Whoever keeps a snapshot open. */
export interface SnapshotHolder {
  /** Called when the snapshot is given up, with the reason. */
  readonly onGone?: (reason: string) => void;
  /** For how long it has done nothing with the snapshot, in ms; without it, never for long. */
  readonly idleMs?: () => number;
}

/** A store whose state can be kept while it goes on changing. */
export interface SnapshotKvStore extends KvStore {
  /**
   * Keeps the present state until the snapshot is disposed of. When too many are open, the one whose holder has been idle
   * for longest is given up, if that is long; `undefined` otherwise. One that is opened in a transaction that fails is
   * gone with it.
   */
  openSnapshot(holder?: SnapshotHolder): KvSnapshot | undefined;
  /** Is there anything for `dropStep`? */
  hasStale(): boolean;
  /**
   * Removes up to `maxRemovals` pairs that were kept for snapshots which are closed. Returns how many it removed: fewer
   * than allowed means that nothing is left.
   */
  dropStep(tx: KvWrite, maxRemovals: number): number;
}

/** A snapshot was given up: too much has changed since, another needed its place, or the transaction that opened it failed. */
export class SnapshotGone extends Error {
  constructor(reason: string) {
    super(`The state that was read is not kept any more: ${reason}.`);
    this.name = 'SnapshotGone';
  }
}
