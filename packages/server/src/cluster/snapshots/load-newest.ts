import type { Logger } from '../../platform/logger.ts';
import { type KvStore, StoreFailing, StoreFull } from '../../storage/kv/store.ts';
import { putFirstPosition } from '../node/position.ts';
import type { ReplicatedLog } from '../replicated-log.ts';
import type { Timers } from '../timers.ts';
import { readSnapshot } from './read-snapshot.ts';
import { continues, isBase, isSnapshotOf, readLog, type SnapshotStorage } from './snapshot.ts';

export interface LoadOptions {
  readonly log: ReplicatedLog;
  readonly storage: SnapshotStorage;
  /** The identity of the log. */
  readonly identity: string;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Returns an empty store. Disposes of the one before, which contains a part of a snapshot. */
  readonly createStore: () => Promise<KvStore>;
  readonly signal: AbortSignal;
}

const RETRY_MS = 1_000;

/**
 * Fills an empty store so that a node with it can read the log from there: with the newest snapshot, or with nothing if the
 * log has everything from the start. Waits until another node has stored a snapshot. Resolves with the store. Rejects only
 * if `signal` is aborted or the store fails.
 */
export async function loadNewest(options: LoadOptions): Promise<KvStore> {
  const { timers, logger, signal } = options;
  let hasWarned = false;
  for (;;) {
    const store = await tryLoad(options);
    if (store !== undefined) return store;
    signal.throwIfAborted();
    if (!hasWarned) logger.warn('this node waits for a snapshot, which another node will store');
    hasWarned = true;
    await new Promise<void>((resolve) => timers.after(RETRY_MS, resolve));
  }
}

async function tryLoad(options: LoadOptions): Promise<KvStore | undefined> {
  const { log, storage, identity, logger, createStore, signal } = options;
  const stored = await storage.list().catch(() => undefined);
  for (const snapshot of stored?.complete ?? []) {
    signal.throwIfAborted();
    if (!isSnapshotOf(snapshot.id, identity)) continue;
    if ((await continues(log, snapshot.position)) !== true) continue;
    try {
      const store = await createStore();
      await readSnapshot(snapshot, storage, store, signal);
      logger.info({ slot: snapshot.position.slot, bytes: snapshot.bytes }, 'a snapshot was loaded');
      return store;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof StoreFull || error instanceof StoreFailing) throw error;
      logger.warn({ err: error }, 'a snapshot could not be loaded');
    }
  }
  const [first] = await readLog(log, 1, 1);
  if (first?.slot !== 1 || isBase(first.message)) return undefined;
  const store = await createStore();
  store.transact(putFirstPosition);
  return store;
}
