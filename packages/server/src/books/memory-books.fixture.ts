import { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import { Databases } from '../database/databases.ts';
import { LOCKED_RULES } from '../database/default-rules.ts';
import { MemoryStore } from '../kv/memory.ts';
import { SnapshotStore } from '../kv/snapshot-store.ts';
import { EmbeddedLog } from '../log/embedded.ts';
import type { Clock } from '../ops/clock.ts';
import { createLogger } from '../ops/logger.ts';
import { randomBytes } from '../ops/random.ts';
import type { BookHistory, Books } from './books.ts';
import { StoredBooks } from './stored-books.ts';

/** A clock that shows what a test says. */
export class TestClock implements Clock {
  ms = 1_700_000_000_000;
  readonly nowMs = (): number => this.ms;
  readonly elapsedMs = (): number => this.ms;
}

/** Books in memory, with everything below them as in a server. */
export function memoryBooks(clock: Clock = new TestClock()): Books & BookHistory {
  return memoryBookStand(clock).open();
}

/** A store in memory, its committer, and books in it: those of two calls of `open` remember nothing of each other. */
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
