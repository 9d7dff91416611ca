import { createLogger } from '../../platform/logger.ts';
import { openTestPool } from '../../platform/pools.fixture.ts';
import { randomBytes } from '../../platform/random.ts';
import { OPEN_RULES } from '../../rules/publishing/versions.ts';
import { LmdbStore } from '../../storage/kv/lmdb.ts';
import { SnapshotStore } from '../../storage/kv/snapshot-store.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import type { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import { Databases } from '../database/registry.ts';
import { LostSessions } from '../disconnect/queue.ts';
import { Imports } from '../import/imports.ts';
import type { Connection, DrainListener } from '../protocol/connection.ts';
import { FaultyStore } from './faulty-store.fixture.ts';

/** A connection that records all messages. */
export class RecordingConnection implements Connection {
  readonly transport = 'websocket';
  readonly peerAddress = null;
  readonly network: string;
  readonly sentBytes = 0;
  readonly receivedBytes = 0;
  readonly messages: string[] = [];

  deliver(messages: readonly OutgoingMessage[]): void {
    for (const { text } of messages) this.messages.push(text);
  }

  isFull = false;
  /** Number of pauses that have not been resumed. */
  pauses = 0;
  #listener: DrainListener | undefined;

  constructor(network = '192.0.2.1') {
    this.network = network;
  }

  countIn(): void {}

  onDrained(listener: DrainListener): void {
    this.#listener = listener;
  }

  drain(): void {
    this.isFull = false;
    this.#listener?.drained();
  }

  close(): void {}

  pause(): void {
    this.pauses++;
  }

  resume(): void {
    this.pauses--;
  }
}

/** A server without sockets, on a directory. */
export interface TestServer extends Disposable {
  readonly store: FaultyStore;
  readonly log: EmbeddedLog;
  readonly scheduler: TransactionScheduler;
  readonly databases: Databases;
  readonly imports: Imports;
  /** Ended sessions whose queues could not be executed. They are retried only when the test calls `retry`. */
  readonly unfinished: LostSessions;
  /** Lines logged as errors. */
  readonly errors: readonly string[];
}

/** The longest delay of a timer. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Opens a test server. `readNowMs` is the clock. No transaction exceeds its time limit, so tasks submitted
 * together share one transaction.
 */
export async function openTestServer(directory: string, readNowMs: () => number): Promise<TestServer> {
  const clock = { nowMs: readNowMs, elapsedMs: () => 0 };
  const faulty = new FaultyStore(new LmdbStore({ directory }));
  const store = new SnapshotStore(faulty);
  const log = new EmbeddedLog({ store });
  const errors: string[] = [];
  const logger = createLogger('error', { write: (line) => errors.push(line) });
  const scheduler = new TransactionScheduler({ log, clock, logger });
  const databases = new Databases({
    longReads: openTestPool(),
    store,
    scheduler,
    clock,
    logger,
    randomBytes,
    newDatabaseRules: OPEN_RULES,
  });
  const unfinished = new LostSessions({
    store,
    scheduler,
    logger,
    openDatabase: (name, transaction) => databases.open(name, transaction),
    retryMs: NEVER_MS,
  });
  await unfinished.finishAll();
  const imports = new Imports({
    scheduler,
    clock,
    openDatabase: (name, transaction) => databases.open(name, transaction),
    places: openTestPool(),
  });
  return {
    store: faulty,
    log,
    scheduler,
    databases,
    imports,
    unfinished,
    errors,
    [Symbol.dispose]() {
      unfinished[Symbol.dispose]();
      store[Symbol.dispose]();
    },
  };
}
