import { parsePath } from '@hearth/core/tree/path.ts';
import { ADMIN } from '../../access/principal.ts';
import { createLogger } from '../../platform/logger.ts';
import { openTestPool } from '../../platform/pools.fixture.ts';
import { ResourcePool } from '../../platform/resource-pool.ts';
import { OPEN_RULES } from '../../rules/publishing/versions.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { SnapshotStore } from '../../storage/kv/snapshot-store.ts';
import type { KvStore, Table } from '../../storage/kv/store.ts';
import { type Commit, seqOf } from '../../storage/log/commit.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { reclaimStep } from '../../storage/tree/garbage.ts';
import { indexStep } from '../../storage/tree/index-build.ts';
import { Changes } from '../changes/changes.ts';
import { ChangeUpkeep } from '../changes/upkeep.ts';
import type { Database } from '../database/database.ts';
import { readText } from '../database/read-text.fixture.ts';
import { Databases } from '../database/registry.ts';
import { parseSet } from '../database/write-input.ts';
import { FaultyStore } from '../model/faulty-store.fixture.ts';
import type { TriggeredEvent } from '../triggers/event.ts';
import { parseTrigger } from '../triggers/trigger.ts';
import { Imports } from './imports.ts';

/** Places for streamed writes in a test bed. */
export const STREAMED_WRITES = 4;

/**
 * A test bed for imports and the databases that they write to, in memory. A second test bed on the same store
 * is the next process.
 */
export class ImportTestBed {
  readonly store: FaultyStore;
  readonly scheduler: TransactionScheduler;
  readonly databases: Databases;
  readonly imports: Imports;
  nowMs = 1_700_000_000_000;
  /** Advance of the clock at each reading, in ms. */
  tickMs = 0;
  /** The events that functions received. */
  readonly events: TriggeredEvent[] = [];
  #elapsedMs = 0;
  readonly changes: Changes;
  readonly upkeep: ChangeUpkeep;
  readonly #log: EmbeddedLog;

  constructor(store: KvStore = new MemoryStore()) {
    this.store = new FaultyStore(store);
    const snapshots = new SnapshotStore(this.store);
    const clock = {
      nowMs: () => this.nowMs,
      elapsedMs: () => {
        this.#elapsedMs += this.tickMs;
        return this.#elapsedMs;
      },
    };
    const logger = createLogger('silent', { write: () => true });
    this.#log = new EmbeddedLog({ store: snapshots });
    this.scheduler = new TransactionScheduler({ log: this.#log, clock, logger });
    this.databases = new Databases({
      longReads: openTestPool(),
      store: snapshots,
      scheduler: this.scheduler,
      clock,
      logger,
      randomBytes: (count) => new Uint8Array(count),
      newDatabaseRules: OPEN_RULES,
      eventReceiver: { receive: (events) => this.events.push(...events) },
    });
    const openDatabase = (name: string, transaction?: WriteTransaction): Database =>
      this.databases.open(name, transaction);
    this.changes = new Changes({
      store: snapshots,
      scheduler: this.scheduler,
      log: this.#log,
      openDatabase,
    });
    this.upkeep = new ChangeUpkeep(snapshots, clock);
    this.imports = new Imports({
      scheduler: this.scheduler,
      clock,
      openDatabase,
      places: new ResourcePool(
        { total: STREAMED_WRITES, reserve: 0, ofNetwork: STREAMED_WRITES, idleMs: 5_000 },
        () => this.nowMs,
      ),
    });
  }

  read(path = ''): Promise<string> {
    return readText(this.databases, 'd', path);
  }

  async write(path: string, json: unknown): Promise<void> {
    const write = parseSet({ path: parsePath(path), isPriority: false }, json);
    await this.databases.write('d', { operation: 'PUT', identity: ADMIN, writes: [write] });
  }

  addTrigger(path: string): void {
    const name = 'projects/p/locations/_/functions/f';
    const event = 'providers/google.firebase.database/eventTypes/ref.write';
    this.databases.administration.addTrigger(ADMIN, 'd', parseTrigger({ name, path, event }));
  }

  commits(): readonly Commit[] {
    return this.#log.read('d', seqOf(0), 10_000);
  }

  /** Returns the number of entries per table after all background work is done. */
  counts(): Readonly<Record<string, number>> {
    while (this.store.transact((tx) => indexStep(tx, 50)) >= 50);
    while (this.store.transact((tx) => reclaimStep(tx, 50)) >= 50);
    const tables: readonly Table[] = ['tree', 'index', 'build', 'garbage'];
    return this.store.read((tx) =>
      Object.fromEntries(tables.map((table) => [table, [...tx.scan(table, {})].length])),
    );
  }
}

/** Yields a text in pieces of `bytesEach` bytes. */
export async function* pieces(text: string | Buffer, bytesEach = 7): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += bytesEach) yield bytes.subarray(at, at + bytesEach);
}

/** Like `pieces`, but the connection breaks after `bytesUntil` bytes. */
export async function* brokenPieces(text: string | Buffer, bytesUntil: number): AsyncGenerator<Buffer> {
  yield* pieces(Buffer.from(text).subarray(0, bytesUntil), 97);
  throw new Error('the connection is gone');
}
