import { join } from 'node:path';
import { Committer } from './commit/committer.ts';
import type { Turn } from './commit/turn.ts';
import { BackgroundWork } from './database/background-work.ts';
import type { Database } from './database/database.ts';
import { Databases } from './database/databases.ts';
import { LostSessions } from './database/lost-sessions.ts';
import type { HttpBackend } from './http/backend.ts';
import { HttpServer } from './http/server.ts';
import { emulatorBearerVerifier, emulatorVerifier } from './identity/emulator-verifier.ts';
import { LmdbStore } from './kv/lmdb.ts';
import { findFileDamage } from './kv/lmdb-file.ts';
import { RememberingStore } from './kv/remembering-store.ts';
import { EmbeddedLog } from './log/embedded.ts';
import { explainBindFailure } from './ops/bind-failure.ts';
import { systemClock } from './ops/clock.ts';
import { openDataDirectory } from './ops/data-directory.ts';
import type { Logger } from './ops/logger.ts';
import type { Options } from './ops/options.ts';
import { randomBytes, sessionId } from './ops/random.ts';
import { StartFailure } from './ops/start-failure.ts';
import { OPEN_RULES } from './rules/default-rules.ts';
import { WebSocketService } from './session/websocket.ts';

/** A server that serves. */
export interface App {
  /** Without a path: `http://127.0.0.1:9000`. */
  readonly url: string;
  /** Absolute path of the data directory. */
  readonly dataPath: string;
  /** Takes no more requests, ends all connections, and closes the store. */
  close(): Promise<void>;
}

/** The database of requests that name none, as the official emulator calls it. */
const DEFAULT_NAMESPACE = 'fake-server';

/** A peer that vanished without a word is missed after one to two of these. */
const ALIVE_INTERVAL_MS = 40_000;

/**
 * Starts a development server. The port comes first, then the data directory, then the store, so that whoever cannot
 * have one of them leaves the next untouched. Rejects with a `StartFailure`.
 */
export async function startApp(options: Options, logger: Logger): Promise<App> {
  const http = new HttpServer({
    verifiers: { token: emulatorVerifier, bearer: emulatorBearerVerifier },
    defaultNamespace: DEFAULT_NAMESPACE,
    allowedHosts: options.allowHost,
    maxBodyBytes: options.maxBodyBytes,
    logger,
  });
  const port = await listen(http, options);
  try {
    const directory = openDataDirectory(options.data);
    try {
      const backend = await openBackend(directory.path, options, logger);
      http.serve(backend);
      return {
        url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
        dataPath: directory.path,
        async close() {
          await http.close();
          await backend.close();
          directory[Symbol.dispose]();
        },
      };
    } catch (cause) {
      directory[Symbol.dispose]();
      throw cause;
    }
  } catch (cause) {
    await http.close();
    throw cause;
  }
}

async function listen(http: HttpServer, { host, port }: Options): Promise<number> {
  try {
    return await http.listen(host, port);
  } catch (cause) {
    throw explainBindFailure(cause, host, port);
  }
}

interface Backend extends HttpBackend {
  close(): Promise<void>;
}

/** Opens the store and everything that works on it. Rejects with a `StartFailure` when the store's file is damaged. */
async function openBackend(path: string, options: Options, logger: Logger): Promise<Backend> {
  const store = new RememberingStore(openStore(path));
  const clock = systemClock;
  const committer = new Committer({ log: new EmbeddedLog({ store }), clock, logger });
  const databases = new Databases({
    store,
    committer,
    clock,
    logger,
    randomBytes,
    newDatabaseRules: OPEN_RULES,
  });
  const openDatabase = (name: string, turn?: Turn): Database => databases.open(name, turn);
  const lostSessions = new LostSessions({ store, committer, logger, openDatabase });
  await lostSessions.finishAll();
  const webSockets = new WebSocketService({
    limits: { maxBacklogBytes: options.maxBacklogBytes, maxMessageUnits: options.maxMessageBytes },
    aliveIntervalMs: ALIVE_INTERVAL_MS,
    committer,
    verifier: emulatorVerifier,
    unfinished: lostSessions,
    clock,
    logger,
    openDatabase,
    createSessionId: sessionId,
  });
  const background = new BackgroundWork({ store, committer, clock, logger });
  background.start();
  return {
    databases,
    webSockets,
    async close() {
      background[Symbol.dispose]();
      lostSessions[Symbol.dispose]();
      await committer.drain();
      store[Symbol.dispose]();
    },
  };
}

function openStore(path: string): LmdbStore {
  const damage = findFileDamage(join(path, 'data.mdb'));
  if (damage !== undefined)
    throw new StartFailure(
      `The data file in ${path} is damaged: it ${damage}. Restore a copy of the directory, or choose another with --data.`,
    );
  try {
    return new LmdbStore({ directory: path });
  } catch (cause) {
    throw new StartFailure(`The data file in ${path} cannot be opened: ${String(cause)}.`, cause);
  }
}
