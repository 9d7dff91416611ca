import type { Clock } from '../platform/clock.ts';
import { createLogger } from '../platform/logger.ts';
import { randomBytes } from '../platform/random.ts';
import { Databases } from '../realtime/database/registry.ts';
import { LOCKED_RULES } from '../rules/publishing/versions.ts';
import { MemoryStore } from '../storage/kv/memory.ts';
import { SnapshotStore } from '../storage/kv/snapshot-store.ts';
import { EmbeddedLog } from '../storage/log/embedded.ts';
import { Committer } from '../storage/transaction/scheduler.ts';
import type { Turn } from '../storage/transaction/transaction.ts';
import type { BookHistory, Books } from './store.ts';
import { StoredBooks } from './stored-records.ts';

/** A clock that a test sets. */
export class TestClock implements Clock {
  ms = 1_700_000_000_000;
  readonly nowMs = (): number => this.ms;
  readonly elapsedMs = (): number => this.ms;
}

/** Creates record stores in memory, on top of the same layers as in a server. */
export function memoryBooks(clock: Clock = new TestClock()): Books & BookHistory {
  return memoryBookStand(clock).open();
}

/**
 * Creates a store in memory, its committer, and a function that opens record stores in it. The results of two
 * calls of `open` share no cache.
 */
export function memoryBookStand(clock: Clock = new TestClock()): {
  readonly committer: Committer;
  readonly open: () => Books & BookHistory;
} {
  const store = new SnapshotStore(new MemoryStore());
  const logger = createLogger('info', { write: () => undefined });
  const log = new EmbeddedLog({ store });
  const committer = new Committer({ log, clock, logger });
  const databases = new Databases({
    store,
    committer,
    clock,
    logger,
    randomBytes,
    newDatabaseRules: LOCKED_RULES,
  });
  const openDatabase = (name: string, turn: Turn) => databases.open(name, turn);
  return { committer, open: () => new StoredBooks({ store, committer, log, openDatabase }) };
}
