import type { Clock } from '../platform/clock.ts';
import { createLogger } from '../platform/logger.ts';
import { openTestPool } from '../platform/pools.fixture.ts';
import { randomBytes } from '../platform/random.ts';
import { Databases } from '../realtime/database/registry.ts';
import { LOCKED_RULES } from '../rules/publishing/versions.ts';
import { MemoryStore } from '../storage/kv/memory.ts';
import { SnapshotStore } from '../storage/kv/snapshot-store.ts';
import { EmbeddedLog } from '../storage/log/embedded.ts';
import { TransactionScheduler } from '../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../storage/transaction/transaction.ts';
import type { RecordHistory, RecordStore } from './store.ts';
import { StoredRecords } from './stored-records.ts';

/** A clock that the test sets. */
export class TestClock implements Clock {
  ms = 1_700_000_000_000;
  /** Added when the elapsed time is read, so that work takes time. */
  stepMs = 0;
  readonly nowMs = (): number => this.ms;
  readonly elapsedMs = (): number => {
    this.ms += this.stepMs;
    return this.ms;
  };
}

/** Creates record stores in memory, on the same layers as in a server. */
export function memoryRecordStore(clock: Clock = new TestClock()): RecordStore & RecordHistory {
  return memoryRecordTestBed(clock).open();
}

/**
 * Returns the transaction scheduler of a store in memory, and a function that opens record stores in it. The
 * results of two calls to `open` share no cache.
 */
export function memoryRecordTestBed(clock: Clock = new TestClock()): {
  readonly scheduler: TransactionScheduler;
  readonly open: () => RecordStore & RecordHistory;
} {
  const store = new SnapshotStore(new MemoryStore());
  const logger = createLogger('info', { write: () => undefined });
  const log = new EmbeddedLog({ store });
  const scheduler = new TransactionScheduler({ log, clock, logger });
  const databases = new Databases({
    longReads: openTestPool(),
    store,
    scheduler,
    clock,
    logger,
    randomBytes,
    newDatabaseRules: LOCKED_RULES,
  });
  const openDatabase = (name: string, transaction: WriteTransaction) => databases.open(name, transaction);
  return { scheduler, open: () => new StoredRecords({ store, scheduler, log, openDatabase }) };
}
