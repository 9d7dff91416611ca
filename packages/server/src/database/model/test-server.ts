import { Committer } from '../../commit/committer.ts';
import type { Frame } from '../../commit/frame.ts';
import { LmdbStore } from '../../kv/lmdb.ts';
import { SnapshotStore } from '../../kv/snapshot-store.ts';
import { EmbeddedLog } from '../../log/embedded.ts';
import { createLogger } from '../../ops/logger.ts';
import { randomBytes } from '../../ops/random.ts';
import type { Connection, DrainListener } from '../../session/connection.ts';
import { Databases } from '../databases.ts';
import { OPEN_RULES } from '../default-rules.ts';
import { LostSessions } from '../lost-sessions.ts';
import { FaultyStore } from './faulty-store.ts';

/** A connection that keeps what it is given. */
export class RecordingConnection implements Connection {
  readonly transport = 'websocket';
  readonly peerAddress = null;
  readonly sentBytes = 0;
  readonly receivedBytes = 0;
  readonly frames: string[] = [];

  deliver(frames: readonly Frame[]): void {
    for (const { text } of frames) this.frames.push(text);
  }

  isFull = false;
  /** How often reading was paused and not resumed. */
  pauses = 0;
  #listener: DrainListener | undefined;

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

/** Everything of a server but its sockets, on a directory. */
export interface TestServer extends Disposable {
  readonly store: FaultyStore;
  readonly log: EmbeddedLog;
  readonly committer: Committer;
  readonly databases: Databases;
  /** Sessions whose remembered writes could not be executed at their end. Tries again only when told to. */
  readonly unfinished: LostSessions;
  /** What was logged as an error. */
  readonly errors: readonly string[];
}

/** The longest time that a timer takes. */
const NEVER_MS = 2 ** 31 - 1;

/** `readNowMs` is the clock. No turn is ever too long, so that what is submitted together is one turn. */
export async function openTestServer(directory: string, readNowMs: () => number): Promise<TestServer> {
  const clock = { nowMs: readNowMs, elapsedMs: () => 0 };
  const faulty = new FaultyStore(new LmdbStore({ directory }));
  const store = new SnapshotStore(faulty);
  const log = new EmbeddedLog({ store });
  const errors: string[] = [];
  const logger = createLogger('error', { write: (line) => errors.push(line) });
  const committer = new Committer({ log, clock, logger });
  const databases = new Databases({
    store,
    committer,
    clock,
    logger,
    randomBytes,
    newDatabaseRules: OPEN_RULES,
  });
  const unfinished = new LostSessions({
    store,
    committer,
    logger,
    openDatabase: (name, turn) => databases.open(name, turn),
    retryMs: NEVER_MS,
  });
  await unfinished.finishAll();
  return {
    store: faulty,
    log,
    committer,
    databases,
    unfinished,
    errors,
    [Symbol.dispose]() {
      unfinished[Symbol.dispose]();
      store[Symbol.dispose]();
    },
  };
}
