import { parsePath } from '@hearth/core/tree/path.ts';
import { Committer } from '../../commit/committer.ts';
import { ADMIN } from '../../identity/identity.ts';
import { MemoryStore } from '../../kv/memory.ts';
import { SnapshotStore } from '../../kv/snapshot-store.ts';
import type { KvStore, Table } from '../../kv/store.ts';
import { type Commit, seqOf } from '../../log/commit.ts';
import { EmbeddedLog } from '../../log/embedded.ts';
import { createLogger } from '../../ops/logger.ts';
import { indexStep } from '../../tree/index-build.ts';
import { reclaimStep } from '../../tree/reclaim.ts';
import { Databases } from '../databases.ts';
import { OPEN_RULES } from '../default-rules.ts';
import { parseSet } from '../draft-write.ts';
import { FaultyStore } from '../model/faulty-store.ts';
import { readText } from '../read-text.fixture.ts';
import type { TriggeredEvent } from '../triggers/event-json.ts';
import { parseTrigger } from '../triggers/trigger.ts';
import { Imports } from './imports.ts';

/** Imports, and the databases that they write to, in memory; a second stand on the same store is the next process. */
export class ImportStand {
  readonly store: FaultyStore;
  readonly committer: Committer;
  readonly databases: Databases;
  readonly imports: Imports;
  nowMs = 1_700_000_000_000;
  /** What the clock goes on by between two looks at it. */
  tickMs = 0;
  /** What functions were told. */
  readonly events: TriggeredEvent[] = [];
  #elapsedMs = 0;
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
    this.committer = new Committer({ log: this.#log, clock, logger });
    this.databases = new Databases({
      store: snapshots,
      committer: this.committer,
      clock,
      logger,
      randomBytes: (count) => new Uint8Array(count),
      newDatabaseRules: OPEN_RULES,
      eventReceiver: { receive: (events) => this.events.push(...events) },
    });
    this.imports = new Imports({
      committer: this.committer,
      clock,
      openDatabase: (name, turn) => this.databases.open(name, turn),
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

  /** Numbers of entries, once everything that is left for later was done. */
  counts(): Readonly<Record<string, number>> {
    while (this.store.transact((tx) => indexStep(tx, 50)) >= 50);
    while (this.store.transact((tx) => reclaimStep(tx, 50)) >= 50);
    const tables: readonly Table[] = ['tree', 'index', 'build', 'garbage'];
    return this.store.read((tx) =>
      Object.fromEntries(tables.map((table) => [table, [...tx.scan(table, {})].length])),
    );
  }
}

/** Pieces of a text, each of so many bytes. */
export async function* pieces(text: string | Buffer, bytesEach = 7): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += bytesEach) yield bytes.subarray(at, at + bytesEach);
}

/** As `pieces`, but the connection breaks when so many bytes have come. */
export async function* brokenPieces(text: string | Buffer, bytesUntil: number): AsyncGenerator<Buffer> {
  yield* pieces(Buffer.from(text).subarray(0, bytesUntil), 97);
  throw new Error('the connection is gone');
}
