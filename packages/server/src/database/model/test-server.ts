import { Committer } from '../../commit/committer.ts';
import type { Frame } from '../../commit/frame.ts';
import { LmdbStore } from '../../kv/lmdb.ts';
import { EmbeddedLog } from '../../log/embedded.ts';
import { createLogger } from '../../ops/logger.ts';
import { randomBytes } from '../../ops/random.ts';
import { OPEN_RULES } from '../../rules/default-rules.ts';
import type { Connection } from '../../session/connection.ts';
import { Databases } from '../databases.ts';
import { FaultyStore } from './faulty-store.ts';

/** A connection that keeps what it is given. */
export class RecordingConnection implements Connection {
  readonly frames: string[] = [];

  deliver(frames: readonly Frame[]): void {
    for (const { text } of frames) this.frames.push(text);
  }

  close(): void {}
  pause(): void {}
  resume(): void {}
}

/** Everything of a server but its sockets, on a directory. */
export interface TestServer extends Disposable {
  readonly store: FaultyStore;
  readonly log: EmbeddedLog;
  readonly committer: Committer;
  readonly databases: Databases;
}

/** `readNowMs` is the clock. No turn is ever too long, so that what is submitted together is one turn. */
export async function openTestServer(directory: string, readNowMs: () => number): Promise<TestServer> {
  const clock = { nowMs: readNowMs, elapsedMs: () => 0 };
  const store = new FaultyStore(new LmdbStore({ directory }));
  const log = new EmbeddedLog({ store });
  const committer = new Committer({ log, clock, logger: createLogger('silent', { write: () => undefined }) });
  const databases = new Databases({ store, committer, clock, randomBytes, newDatabaseRules: OPEN_RULES });
  await databases.finishLostSessions();
  return { store, log, committer, databases, [Symbol.dispose]: () => store[Symbol.dispose]() };
}
