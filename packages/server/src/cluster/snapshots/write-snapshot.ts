import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import type { KvStore } from '../../storage/kv/store.ts';
import { findPosition } from '../node/position.ts';
import { encodeKeyValues, scanCommonData } from '../node/write-set.ts';
import { MAX_PIECE_BYTES, type Snapshot, type SnapshotStorage } from './snapshot.ts';

/** Fast: the pieces wait for the network anyway. */
const COMPRESSION = { level: 1 } as const;

/**
 * Stores everything that nodes have in common as a snapshot. `store` must not change, and contain only what is committed.
 * Rejects if the servers do not answer or `signal` is aborted; then the snapshot has no description.
 */
export async function writeSnapshot(
  store: KvStore,
  storage: SnapshotStorage,
  id: string,
  signal: AbortSignal,
): Promise<Snapshot> {
  const position = store.read(findPosition);
  if (position === undefined) throw new Error('Bug: a snapshot of a store without a position');
  const hash = createHash('sha256');
  const counts = { pieces: 0, keys: 0, bytes: 0 };
  const put = async (piece: Buffer): Promise<void> => {
    signal.throwIfAborted();
    hash.update(piece);
    counts.bytes += piece.length;
    await storage.putPiece(id, counts.pieces, deflateRawSync(piece, COMPRESSION));
    counts.pieces += 1;
    await setImmediate();
  };
  let parts: Buffer[] = [];
  let bytes = 0;
  for (const pair of store.read(scanCommonData)) {
    const encoded = encodeKeyValues([pair]);
    counts.keys += 1;
    parts.push(encoded);
    bytes += encoded.length;
    if (bytes < MAX_PIECE_BYTES) continue;
    const joined = Buffer.concat(parts);
    let at = 0;
    for (; at + MAX_PIECE_BYTES <= joined.length; at += MAX_PIECE_BYTES)
      await put(joined.subarray(at, at + MAX_PIECE_BYTES));
    parts = [joined.subarray(at)];
    bytes = joined.length - at;
  }
  if (bytes > 0) await put(Buffer.concat(parts));
  const snapshot = { id, position, ...counts, sha256: hash.digest('hex') };
  await storage.complete(snapshot);
  return snapshot;
}
