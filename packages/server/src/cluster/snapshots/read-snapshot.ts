import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import type { KvStore } from '../../storage/kv/store.ts';
import { putPosition } from '../node/position.ts';
import { applyKeyValues, KeyValueReader } from '../node/write-set.ts';
import { MAX_PIECE_BYTES, type Snapshot, type SnapshotStorage } from './snapshot.ts';

/**
 * Loads a snapshot into an empty store. Stores the position last, when the pieces are those that were stored. Rejects if
 * they are not, if the servers do not answer, or if `signal` is aborted; the store is then of no use.
 */
export async function readSnapshot(
  snapshot: Snapshot,
  storage: SnapshotStorage,
  store: KvStore,
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256');
  const reader = new KeyValueReader();
  let keys = 0;
  for await (const piece of storage.readPieces(snapshot)) {
    signal.throwIfAborted();
    const bytes = inflateRawSync(piece, { maxOutputLength: MAX_PIECE_BYTES });
    hash.update(bytes);
    const pairs = reader.push(bytes);
    keys += pairs.length;
    store.transact((tx): void => applyKeyValues(tx, pairs));
  }
  if (!reader.isComplete || keys !== snapshot.keys || hash.digest('hex') !== snapshot.sha256)
    throw new Error(`The snapshot ${snapshot.id} is damaged.`);
  store.transact((tx): void => putPosition(tx, snapshot.position));
}
