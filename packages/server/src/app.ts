import { join } from 'node:path';
import { openIdentity } from './accounts/open-identity.ts';
import { StoredBooks } from './books/stored-books.ts';
import { Committer } from './commit/committer.ts';
import type { Turn } from './commit/turn.ts';
import { BackgroundWork } from './database/background-work.ts';
import type { Database } from './database/database.ts';
import { DatabaseDirectory, findRules } from './database/database-directory.ts';
import type { DatabaseService } from './database/database-service.ts';
import { Databases } from './database/databases.ts';
import { OPEN_RULES } from './database/default-rules.ts';
import { Explanations } from './database/explanations.ts';
import { Explorer } from './database/explorer.ts';
import type { ImportService } from './database/import/import-service.ts';
import { Imports } from './database/import/imports.ts';
import { LostSessions } from './database/lost-sessions.ts';
import { FunctionsEmulator } from './database/triggers/functions-emulator.ts';
import { DenialLog } from './denials/denial-log.ts';
import type { HttpBackend } from './http/backend.ts';
import { EventStreams } from './http/event-streams.ts';
import { emulatorAdmins } from './http/identity/emulator-admins.ts';
import { IdentityHttp } from './http/identity/identity-http.ts';
import { IDENTITY_ROUTES } from './http/identity/identity-routes.ts';
import { HttpServer } from './http/server.ts';
import { emulatorBearerVerifier, emulatorVerifier } from './identity/emulator-verifier.ts';
import { LmdbStore } from './kv/lmdb.ts';
import { findFileDamage } from './kv/lmdb-file.ts';
import { RememberingStore } from './kv/remembering-store.ts';
import { SnapshotStore } from './kv/snapshot-store.ts';
import { EmbeddedLog } from './log/embedded.ts';
import { explainBindFailure } from './ops/bind-failure.ts';
import { systemClock } from './ops/clock.ts';
import { openDataDirectory } from './ops/data-directory.ts';
import type { Logger } from './ops/logger.ts';
import type { Options } from './ops/options.ts';
import { postJson } from './ops/post-json.ts';
import { chance, randomBytes, sessionId } from './ops/random.ts';
import { findSecretKeyText } from './ops/secret-key-text.ts';
import { StartFailure } from './ops/start-failure.ts';
import { CoverageKeeper } from './replay/coverage-keeper.ts';
import { OperationRecorder } from './replay/operation-recorder.ts';
import { Replay } from './replay/replay.ts';
import { VerdictKeeper } from './replay/verdict-keeper.ts';
import { openSecretKey } from './secrets/open-secret-key.ts';
import { LongPollService } from './session/long-poll/long-poll-service.ts';
import { SessionDirectory } from './session/session-directory.ts';
import { WebSocketService } from './session/websocket.ts';
import { connectionSettings } from './session/websocket-connection.ts';
import { unsignedTokens } from './tokens/unsigned-tokens.ts';

/** A server that serves. */
export interface App {
  /** Without a path: `http://127.0.0.1:9000`. */
  readonly url: string;
  /** Absolute path of the data directory. */
  readonly dataPath: string;
  /** Takes no more requests, ends all connections, and closes the store. */
  close(): Promise<void>;
}

/** What works with the databases beside requests. */
export interface DatabaseAccess {
  readonly databases: DatabaseService;
  readonly imports: ImportService;
  /** Has the database ever been given rules? */
  hasRules(database: string): boolean;
  /** The names of all databases. */
  readonly databaseNames: () => readonly string[];
}

/**
 * Starts such work: resolves when the first request may come. It is disposed of after the last request was answered, while
 * the databases are still open. Rejects with a `StartFailure`.
 */
export type Companion = (access: DatabaseAccess) => Promise<AsyncDisposable>;

/** The database of requests that name none, as the official emulator calls it. */
const DEFAULT_NAMESPACE = 'fake-server';

/** A peer that vanished without a word is missed after one to two of these. */
const ALIVE_INTERVAL_MS = 40_000;

/** Clients that poll ask again after 25 s, and some proxies give up after 30 s. */
const POLL_PATIENCE = { holdMs: 20_000, silenceMs: 60_000, abandonedMs: 5_000 };

/** Proxies end a connection on which nothing was said for a minute. */
const STREAM_KEEP_ALIVE_MS = 30_000;

/** Each is an open connection of a client that has nothing else. */
const MAX_EVENT_STREAMS = 20_000;

/** A client that begins and never polls keeps its place until it is missed. */
const MAX_POLLING_CLIENTS = 10_000;

/**
 * Starts a development server. The port comes first, then the data directory, then the store, so that whoever cannot
 * have one of them leaves the next untouched. Rejects with a `StartFailure`.
 */
export async function startApp(
  options: Options,
  logger: Logger,
  companions: readonly Companion[] = [],
): Promise<App> {
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
      const company = await startCompanions(companions, backend);
      http.serve(backend);
      return {
        url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
        dataPath: directory.path,
        async close() {
          await http.close();
          try {
            await company.disposeAsync();
          } finally {
            await backend.close();
            directory[Symbol.dispose]();
          }
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

interface Backend extends HttpBackend, DatabaseAccess {
  close(): Promise<void>;
}

async function startCompanions(
  companions: readonly Companion[],
  backend: Backend,
): Promise<AsyncDisposableStack> {
  const company = new AsyncDisposableStack();
  try {
    for (const start of companions) company.use(await start(backend));
    return company;
  } catch (cause) {
    await company.disposeAsync();
    await backend.close();
    throw cause;
  }
}

/** Opens the store and everything that works on it. Rejects with a `StartFailure` when the store's file is damaged. */
async function openBackend(path: string, options: Options, logger: Logger): Promise<Backend> {
  const store = new SnapshotStore(new RememberingStore(openStore(path)));
  const clock = systemClock;
  const committer = new Committer({ log: new EmbeddedLog({ store }), clock, logger });
  const functionsEmulator = new FunctionsEmulator({
    address: options.functionsEmulator,
    logger,
    post: postJson,
  });
  const denials = new DenialLog({ store, committer, clock, logger });
  // This is a server for development: drafts of rules can be tried at once.
  const recorder = new OperationRecorder({ store, committer, clock, chance, isOnAtFirst: true });
  const coverage = new CoverageKeeper({
    committer,
    clock,
    findRules: (turn, name) => openDatabase(name, turn).rules,
  });
  const databases: Databases = new Databases({
    store,
    committer,
    clock,
    logger,
    randomBytes,
    newDatabaseRules: OPEN_RULES,
    eventReceiver: functionsEmulator,
    observeVerdicts: (database) => new VerdictKeeper({ database, denials, recorder, coverage }),
  });
  const openDatabase = (name: string, turn?: Turn): Database => databases.open(name, turn);
  const replay = new Replay({
    committer,
    clock,
    recorder,
    findState: (turn, name) => {
      const database = openDatabase(name, turn);
      return { rules: database.rules, tree: database.tree(turn) };
    },
  });
  const lostSessions = new LostSessions({ store, committer, logger, openDatabase });
  await lostSessions.finishAll();
  const sessions = new SessionDirectory({
    committer,
    verifier: emulatorVerifier,
    unfinished: lostSessions,
    clock,
    openDatabase,
    createSessionId: sessionId,
  });
  const settings = connectionSettings({
    maxBacklogBytes: options.maxBacklogBytes,
    maxMessageUnits: options.maxMessageBytes,
  });
  const longPolls = new LongPollService({
    settings,
    patience: POLL_PATIENCE,
    maxConnections: MAX_POLLING_CLIENTS,
    sessions,
    createPassword: sessionId,
  });
  const webSockets = new WebSocketService({
    settings,
    aliveIntervalMs: ALIVE_INTERVAL_MS,
    sessions,
    upgradable: longPolls,
    logger,
  });
  const eventStreams = new EventStreams({
    clock,
    backlog: settings.backlog,
    outgoing: settings.outgoing,
    keepAliveMs: STREAM_KEEP_ALIVE_MS,
    maxStreams: MAX_EVENT_STREAMS,
  });
  const books = new StoredBooks({ store, committer, openDatabase });
  const services = openIdentity({
    books,
    clock,
    randomBytes,
    secretKey: openSecretKey({
      environment: findSecretKeyText(),
      path: options.keyFile ?? join(path, 'secret.key'),
      randomBytes,
    }),
    idTokens: unsignedTokens,
    throttle: { mustAllowSignUp: () => {}, mustAllowPassword: () => {}, notePassword: () => {} },
    audit: { tell: () => {} },
    developmentProject: options.project,
  });
  const identity = new IdentityHttp({
    services,
    admins: emulatorAdmins,
    routes: IDENTITY_ROUTES,
    logger,
    defaultProject: options.project,
  });
  const imports = new Imports({ committer, clock, openDatabase });
  await imports.dropStaged();
  const background = new BackgroundWork({ store, committer, clock, logger });
  background.start();
  return {
    databases,
    administration: databases.administration,
    profiling: databases.profiling,
    rulesHistory: databases.rulesHistory,
    denials,
    recorder,
    replay,
    explanations: new Explanations({ committer, openDatabase }),
    coverage,
    explorer: new Explorer({ store, clock }),
    imports,
    eventStreams,
    webSockets,
    longPolls,
    identity,
    databaseNames: () => store.read((tx) => new DatabaseDirectory().names(tx, '', Number.POSITIVE_INFINITY)),
    hasRules: (database) => store.read((tx) => findRules(tx, database) !== undefined),
    async close() {
      background[Symbol.dispose]();
      functionsEmulator[Symbol.dispose]();
      lostSessions[Symbol.dispose]();
      await imports.close();
      await services.passwords[Symbol.asyncDispose]();
      await denials.close();
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
