import { join } from 'node:path';
import { projectOfBook } from './accounts/account-book.ts';
import { AccountDirectory } from './accounts/admin/account-directory.ts';
import { AccountIndexing } from './accounts/admin/account-indexing.ts';
import { AccountSearches } from './accounts/admin/account-searches.ts';
import type { IdentityServices } from './accounts/identity-services.ts';
import { revokeLiveGrants } from './accounts/live-grants.ts';
import { revokeLive } from './accounts/live-revocation.ts';
import { MailAdministration } from './accounts/mail-administration.ts';
import { revokeLiveMembers } from './accounts/members/live-members.ts';
import { Members } from './accounts/members/members.ts';
import { openIdentity } from './accounts/open-identity.ts';
import { openPasswordCost } from './accounts/password-cost.ts';
import { ProjectAdministration } from './accounts/project-administration.ts';
import { findOwnServer, INITIAL_MAIL } from './accounts/project-mail.ts';
import { startSignIn } from './accounts/sign-in-start.ts';
import { tellKeyChanges } from './accounts/tell-key-changes.ts';
import { Throttle } from './accounts/throttle.ts';
import { ActivityLedger } from './activity/activity-ledger.ts';
import { Connections } from './activity/connections.ts';
import { ServerActivity } from './activity/server-activity.ts';
import { AuditLog } from './audit/audit-log.ts';
import { StoredBooks } from './books/stored-books.ts';
import { Committer } from './commit/committer.ts';
import type { Turn } from './commit/turn.ts';
import { BackgroundWork } from './database/background-work.ts';
import { findBook } from './database/book-name.ts';
import type { Database } from './database/database.ts';
import { DatabaseDirectory, findRules } from './database/database-directory.ts';
import type { DatabaseService } from './database/database-service.ts';
import { Databases } from './database/databases.ts';
import { countPending } from './database/disconnect-queue.ts';
import { Explanations } from './database/explanations.ts';
import { Explorer } from './database/explorer.ts';
import type { ImportService } from './database/import/import-service.ts';
import { Imports } from './database/import/imports.ts';
import { LivePages } from './database/live-pages.ts';
import { LostSessions } from './database/lost-sessions.ts';
import { DenialLog } from './denials/denial-log.ts';
import { LiveFeeds } from './feed/live-feeds.ts';
import type { HttpBackend } from './http/backend.ts';
import { BodyRoom } from './http/body-room.ts';
import { ACTION_PAGE, CONSOLE_PAGE, readBuiltPages } from './http/built-pages.ts';
import { ConsolePages } from './http/console/console-pages.ts';
import { EventStreams } from './http/event-streams.ts';
import { HostedPages } from './http/identity/hosted-pages.ts';
import { IdentityHttp } from './http/identity/identity-http.ts';
import { HttpServer } from './http/server.ts';
import { LmdbStore } from './kv/lmdb.ts';
import { findFileDamage } from './kv/lmdb-file.ts';
import { RememberingStore } from './kv/remembering-store.ts';
import { SnapshotStore } from './kv/snapshot-store.ts';
import type { KvStore } from './kv/store.ts';
import { EmbeddedLog } from './log/embedded.ts';
import { MailWorker } from './mail/mail-worker.ts';
import { SmtpMailers } from './mail/smtp-mailers.ts';
import type { Mode } from './mode/mode.ts';
import { explainBindFailure } from './ops/bind-failure.ts';
import type { Certificate } from './ops/certificate.ts';
import { systemClock } from './ops/clock.ts';
import { openDataDirectory } from './ops/data-directory.ts';
import type { Logger } from './ops/logger.ts';
import type { AppOptions } from './ops/options.ts';
import { readDiskFigures, readProcessFigures } from './ops/process-figures.ts';
import { chance, randomBytes, sessionId } from './ops/random.ts';
import { secretKeyPath } from './ops/secret-key-path.ts';
import { findSecretKeyText } from './ops/secret-key-text.ts';
import { StartFailure } from './ops/start-failure.ts';
import { readVersion } from './ops/version.ts';
import { OperationRecorder } from './replay/operation-recorder.ts';
import { Replay } from './replay/replay.ts';
import { VerdictKeeper } from './replay/verdict-keeper.ts';
import { findKeyCheck, writeKeyCheck } from './secrets/key-check.ts';
import { openSecretKey } from './secrets/open-secret-key.ts';
import type { SecretKey } from './secrets/secret-key.ts';
import { LongPollService } from './session/long-poll/long-poll-service.ts';
import { SessionDirectory } from './session/session-directory.ts';
import { WebSocketService } from './session/websocket.ts';
import { connectionSettings } from './session/websocket-connection.ts';
import { ServiceAccounts } from './tokens/service-accounts.ts';

/** A server that serves. */
export interface App {
  /** As this machine reaches it, without a path: `http://127.0.0.1:9000`. */
  readonly url: string;
  /** Absolute path of the data directory. */
  readonly dataPath: string;
  /** Path of the link to the first owner, with its secret; `null` if none is needed. */
  readonly ownerLinkPath: string | null;
  /** Shows another certificate from now on, where the server has one. */
  replaceCertificate(certificate: Certificate): void;
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
  readonly accounts: IdentityServices;
}

/**
 * Starts such work: resolves when the first request may come. It is disposed of after the last request was answered, while
 * the databases are still open. Rejects with a `StartFailure`.
 */
export type Companion = (access: DatabaseAccess) => Promise<AsyncDisposable>;

/** A peer that vanished without a word is missed after one to two of these. */
const ALIVE_INTERVAL_MS = 40_000;

/** Clients that poll ask again after 25 s, and some proxies give up after 30 s. */
const POLL_PATIENCE = { holdMs: 20_000, silenceMs: 60_000, abandonedMs: 5_000 };

/** Proxies end a connection on which nothing was said for a minute. */
const STREAM_KEEP_ALIVE_MS = 30_000;

/** Each is an open connection of a client that has nothing else. */
const MAX_EVENT_STREAMS = 20_000;

/** Each is a page of a console that is open, or another reader of what goes on. */
const FEED_LIMITS = { total: 1_000, ofDatabase: 200, ofAsker: 20 };

/** A client that begins and never polls keeps its place until it is missed. */
const MAX_POLLING_CLIENTS = 10_000;

/**
 * Starts a server. The port comes first, then the data directory, then the store, so that whoever cannot
 * have one of them leaves the next untouched. Rejects with a `StartFailure`.
 */
export async function startApp(
  options: AppOptions,
  mode: Mode,
  logger: Logger,
  companions: readonly Companion[] = [],
): Promise<App> {
  const http = new HttpServer({
    ...mode.http,
    maxBodyBytes: options.maxBodyBytes,
    bodyRoom: new BodyRoom(options.maxBodyBytes),
    logger,
  });
  const port = await listen(http, options);
  try {
    const directory = openDataDirectory(options.data);
    try {
      const backend = await openBackend(directory.path, options, mode, logger);
      const company = await startCompanions(companions, backend);
      http.serve(backend);
      return {
        url: localUrl(mode.http.certificate === null ? 'http' : 'https', options.host, port),
        dataPath: directory.path,
        ownerLinkPath: backend.ownerLinkPath,
        replaceCertificate: (certificate) => http.replaceCertificate(certificate),
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

/** How this machine reaches a server that listens on an address; the unspecified one stands for all of them. */
function localUrl(scheme: string, host: string, port: number): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${scheme}://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

async function listen(http: HttpServer, { host, port }: AppOptions): Promise<number> {
  try {
    return await http.listen(host, port);
  } catch (cause) {
    throw explainBindFailure(cause, host, port);
  }
}

interface Backend extends HttpBackend, DatabaseAccess {
  readonly ownerLinkPath: string | null;
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
async function openBackend(path: string, options: AppOptions, mode: Mode, logger: Logger): Promise<Backend> {
  const store = new SnapshotStore(new RememberingStore(openStore(path)));
  const clock = systemClock;
  const log = new EmbeddedLog({ store });
  const committer = new Committer({ log, clock, logger });
  const openDatabase = (name: string, turn?: Turn): Database => databases.open(name, turn);
  const emulation = mode.openEmulation({ committer, clock, logger, openDatabase });
  const denials = new DenialLog({ store, committer, clock, logger });
  const isOnAtFirst = mode.isRecordingOnAtFirst;
  const recorder = new OperationRecorder({ store, committer, clock, chance, isOnAtFirst });
  const coverage = emulation?.coverage ?? null;
  const databases: Databases = new Databases({
    store,
    committer,
    clock,
    logger,
    randomBytes,
    newDatabaseRules: mode.newDatabaseRules,
    ...(emulation === null ? {} : { eventReceiver: emulation.functions }),
    observeVerdicts: (database) => new VerdictKeeper({ database, denials, recorder, coverage }),
  });
  const replay = new Replay({
    committer,
    clock,
    recorder,
    findState: (turn, name) => {
      const database = openDatabase(name, turn);
      return { rules: database.rules, tree: database.tree(turn) };
    },
  });
  const books = new StoredBooks({ store, committer, log, openDatabase });
  const audit = new AuditLog({ books, clock, logger });
  tellKeyChanges(books, audit);
  const serviceAccounts = new ServiceAccounts({ books, randomBytes });
  const secretKey = openSecretKey({
    environment: findSecretKeyText(),
    path: options.keyFile ?? secretKeyPath(path),
    check: store.read(findKeyCheck),
    randomBytes,
  });
  const tokens = await mode.openTokens({ books, clock, logger, randomBytes, secretKey, serviceAccounts });
  const onSeal = keyRememberer(committer, secretKey);
  // Signing keys are sealed by now.
  if (mode.developmentProject === null) onSeal();
  const services = openIdentity({
    books,
    clock,
    randomBytes,
    secretKey,
    onSeal,
    ...tokens.services,
    throttle: new Throttle({ clock, limits: mode.throttleLimits }),
    audit,
    developmentProject: mode.developmentProject,
    passwordCost: await openPasswordCost({
      books,
      targetMs: mode.passwordMs,
      elapsedMs: clock.elapsedMs,
      logger,
    }),
  });
  const access = await tokens.openAccess(services);
  const lostSessions = new LostSessions({ store, committer, logger, openDatabase });
  await lostSessions.finishAll();
  const nextConnectionId = counter();
  const addressOf = mode.http.transport.clientAddressOf;
  const sessions = new SessionDirectory({
    committer,
    verifier: access.verifiers.token,
    unfinished: lostSessions,
    clock,
    openDatabase,
    createSessionId: sessionId,
    nextConnectionId,
    countPending: (id) => store.read((tx) => countPending(tx, id)),
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
    addressOf,
    createPassword: sessionId,
  });
  const webSockets = new WebSocketService({
    settings,
    aliveIntervalMs: ALIVE_INTERVAL_MS,
    sessions,
    forwardedAddressOf: mode.http.transport.forwardedAddressOf,
    upgradable: longPolls,
    logger,
  });
  const eventStreams = new EventStreams({
    clock,
    backlog: settings.backlog,
    outgoing: settings.outgoing,
    keepAliveMs: STREAM_KEEP_ALIVE_MS,
    maxStreams: MAX_EVENT_STREAMS,
    nextConnectionId,
    addressOf,
  });
  const feeds = new LiveFeeds({ clock, limits: FEED_LIMITS });
  const activity = new ActivityLedger({
    clock,
    feeds,
    activities: () => databases.activities(),
    find: (name) => databases.activityOf(name),
  });
  activity.start();
  const serverActivity = new ServerActivity({
    clock,
    readProcess: readProcessFigures,
    readDisk: () => readDiskFigures(path),
    store,
  });
  serverActivity.start();
  const identity = new IdentityHttp({
    services,
    admins: access.admins,
    routes: access.identityRoutes,
    exchange: access.exchange,
    transport: mode.http.transport,
    logger,
    defaultProject: mode.developmentProject,
  });
  const hostedPages = new HostedPages({
    services,
    transport: mode.http.transport,
    pages: await readBuiltPages(ACTION_PAGE),
    mailbox: emulation?.mailbox ?? null,
    defaultProject: mode.developmentProject,
  });
  const about = {
    mode: mode.developmentProject === null ? 'serve' : 'development',
    defaultProject: mode.developmentProject,
    version: readVersion(),
  } as const;
  const consolePages = new ConsolePages({
    pages: await readBuiltPages(CONSOLE_PAGE),
    ...about,
    randomBytes,
  });
  const mailers = new SmtpMailers({
    box: services.secretBox,
    findServer: (project) => findOwnServer(services.projects.find(project)?.settings.mail ?? INITIAL_MAIL),
    mayReach: mode.mayReachMailServer,
    shared: mode.mailServer,
  });
  const findMailer = (project: string) => emulation?.mailbox ?? mailers.find(project);
  const mailWorker = new MailWorker({ outbox: services.outbox, findMailer, clock, logger });
  mailWorker.start();
  const accountSearches = new AccountSearches(books);
  const live = [sessions, eventStreams, feeds, databases.profiling, accountSearches];
  revokeLive(books, live);
  revokeLiveGrants(books, serviceAccounts.find, live);
  revokeLiveMembers(books, live);
  const imports = new Imports({ committer, clock, openDatabase });
  await imports.dropStaged();
  const indexing = new AccountIndexing({ books, logger });
  indexing.start(listAccountProjects(store));
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
    livePages: new LivePages({ store, clock, feeds, openDatabase }),
    feeds,
    activity,
    connections: new Connections([sessions, eventStreams]),
    serverActivity,
    imports,
    accounts: services,
    eventStreams,
    webSockets,
    longPolls,
    identity,
    audit,
    hostedPages,
    consolePages,
    about,
    verifiers: access.verifiers,
    admins: access.admins,
    members: new Members(services),
    startSignIn: (project, address) => startSignIn(services, project, address),
    projects: new ProjectAdministration({
      projects: services.projects,
      serviceAccounts,
      newSettings: mode.newProjectSettings,
    }),
    mails: new MailAdministration({ services, findMailer }),
    accountDirectory: new AccountDirectory(books),
    accountSearches,
    databaseOwners: access.databaseOwners,
    setUpOwner: access.setUpOwner,
    ownerLinkPath: access.ownerLinkPath,
    databaseNames: () => store.read((tx) => new DatabaseDirectory().names(tx, '', Number.POSITIVE_INFINITY)),
    hasRules: (database) => store.read((tx) => findRules(tx, database) !== undefined),
    async close() {
      background[Symbol.dispose]();
      indexing[Symbol.dispose]();
      activity[Symbol.dispose]();
      serverActivity[Symbol.dispose]();
      emulation?.[Symbol.dispose]();
      tokens[Symbol.dispose]();
      lostSessions[Symbol.dispose]();
      await mailWorker[Symbol.asyncDispose]();
      mailers[Symbol.dispose]();
      await imports.close();
      await services.passwords[Symbol.asyncDispose]();
      await denials.close();
      await audit[Symbol.asyncDispose]();
      await committer.drain();
      store[Symbol.dispose]();
    },
  };
}

/** The projects that may have accounts. */
function listAccountProjects(store: KvStore): readonly string[] {
  const names = store.read((tx) => new DatabaseDirectory().allNames(tx, '', Number.POSITIVE_INFINITY));
  return names.flatMap((name) => {
    const book = findBook(name);
    return (book === undefined ? undefined : projectOfBook(book)) ?? [];
  });
}

/** Counts 1, 2, 3 … */
function counter(): () => number {
  let count = 0;
  return () => ++count;
}

/** Makes the store remember which key it needs; until that succeeds, every call tries again. */
function keyRememberer(committer: Committer, key: SecretKey): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    const written = committer.request((turn) => {
      turn.mustBeWritable();
      writeKeyCheck(turn.tx, key);
    });
    written.catch(() => {
      isAsked = false;
    });
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
