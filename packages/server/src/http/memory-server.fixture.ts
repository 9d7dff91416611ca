import { AccountDirectory } from '../accounts/admin/account-directory.ts';
import { AccountSearches } from '../accounts/admin/account-searches.ts';
import { identityStand } from '../accounts/identity-stand.fixture.ts';
import { MailAdministration } from '../accounts/mail-administration.ts';
import { Members } from '../accounts/members/members.ts';
import { ProjectAdministration } from '../accounts/project-administration.ts';
import { DEVELOPMENT_SETTINGS } from '../accounts/project-settings.ts';
import { startSignIn } from '../accounts/sign-in-start.ts';
import { ActivityLedger } from '../activity/activity-ledger.ts';
import { Connections } from '../activity/connections.ts';
import { ServerActivity } from '../activity/server-activity.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { StoredBooks } from '../books/stored-books.ts';
import { SharedBacklog } from '../commit/backlog.ts';
import { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import { Databases } from '../database/databases.ts';
import { OPEN_RULES } from '../database/default-rules.ts';
import { Explanations } from '../database/explanations.ts';
import { Explorer } from '../database/explorer.ts';
import { Imports } from '../database/import/imports.ts';
import { LivePages } from '../database/live-pages.ts';
import { DenialLog } from '../denials/denial-log.ts';
import { LiveFeeds } from '../feed/live-feeds.ts';
import { emulatorBearerVerifier, emulatorVerifier } from '../identity/emulator-verifier.ts';
import type { CredentialVerifier } from '../identity/verifier.ts';
import { MemoryStore } from '../kv/memory.ts';
import { SnapshotStore } from '../kv/snapshot-store.ts';
import { EmbeddedLog } from '../log/embedded.ts';
import { MISSING_MAILER } from '../mail/missing-mailer.ts';
import type { Clock } from '../ops/clock.ts';
import { createLogger } from '../ops/logger.ts';
import { readProcessFigures } from '../ops/process-figures.ts';
import { CoverageKeeper } from '../replay/coverage-keeper.ts';
import { OperationRecorder } from '../replay/operation-recorder.ts';
import { Replay } from '../replay/replay.ts';
import { VerdictKeeper } from '../replay/verdict-keeper.ts';
import { ServiceAccounts } from '../tokens/service-accounts.ts';
import type { HttpBackend } from './backend.ts';
import { BodyRoom } from './body-room.ts';
import { ConsolePages } from './console/console-pages.ts';
import { COVERAGE_ROUTES } from './coverage-routes.ts';
import { EventStreams } from './event-streams.ts';
import { emulatorAdmins } from './identity/emulator-admins.ts';
import { HostedPages } from './identity/hosted-pages.ts';
import { IdentityHttp } from './identity/identity-http.ts';
import { DEVELOPMENT_ROUTES } from './identity/identity-routes.ts';
import { HttpServer } from './server.ts';
import { EMULATOR_SETTINGS } from './settings-routes.ts';
import { LOCAL_TRANSPORT } from './transport.ts';

/** What the clock of these servers always shows. */
export const NOW_MS = 1_700_000_000_000;
export const MAX_BODY_BYTES = 1_000;

/** A server whose databases are in memory and whose clock stands still, how to make it serve, these databases, and its log. */
export function createMemoryServer(
  change: Partial<HttpBackend> = {},
  maxBodyBytes: number = MAX_BODY_BYTES,
  token: CredentialVerifier = emulatorVerifier,
): {
  readonly server: HttpServer;
  readonly serve: () => void;
  readonly databases: Databases;
  readonly log: readonly string[];
} {
  const log: string[] = [];
  const logger = createLogger('info', { write: (line) => log.push(line) });
  const store = new SnapshotStore(new MemoryStore());
  const clock: Clock = { nowMs: () => NOW_MS, elapsedMs: () => 0 };
  const commitLog = new EmbeddedLog({ store });
  const committer = new Committer({ log: commitLog, clock, logger });
  const coverage = new CoverageKeeper({
    committer,
    clock,
    findRules: (turn, name) => databases.open(name, turn).rules,
  });
  const denials = new DenialLog({ store, committer, clock, logger });
  const recorder = new OperationRecorder({ store, committer, clock, chance: () => 0, isOnAtFirst: true });
  const databases: Databases = new Databases({
    store,
    committer,
    clock,
    logger,
    randomBytes: (count) => new Uint8Array(count),
    newDatabaseRules: OPEN_RULES,
    observeVerdicts: (database) => new VerdictKeeper({ database, denials, recorder, coverage }),
  });
  const server = new HttpServer({
    defaultNamespace: 'fake-server',
    settings: EMULATOR_SETTINGS,
    coverageRoutes: COVERAGE_ROUTES,
    allowedHosts: ['ns1.db.example'],
    barsForeignPages: false,
    identityHosts: [],
    transport: LOCAL_TRANSPORT,
    certificate: null,
    maxBodyBytes,
    bodyRoom: new BodyRoom(maxBodyBytes),
    logger,
  });
  const webSockets = { handleUpgrade: () => {}, close: async () => {} };
  const longPolls = { answer: () => {}, close: async () => {} };
  const imports = new Imports({
    committer,
    clock,
    openDatabase: (name, turn) => databases.open(name, turn),
  });
  const { administration, profiling, rulesHistory } = databases;
  const openDatabase = (name: string, turn?: Turn) => databases.open(name, turn);
  const feeds = new LiveFeeds({ clock, limits: { total: 10, ofDatabase: 10, ofAsker: 10 } });
  const replay = new Replay({
    committer,
    clock,
    recorder,
    findState: (turn, name) => {
      const database = openDatabase(name, turn);
      return { rules: database.rules, tree: database.tree(turn) };
    },
  });
  const eventStreams = new EventStreams({
    clock,
    backlog: { maxBytes: MAX_BODY_BYTES, fullBytes: MAX_BODY_BYTES },
    outgoing: new SharedBacklog(MAX_BODY_BYTES),
    keepAliveMs: 60_000,
    maxStreams: 10,
    nextConnectionId: () => 1,
    addressOf: LOCAL_TRANSPORT.clientAddressOf,
  });
  const books = new StoredBooks({ store, committer, log: commitLog, openDatabase });
  const { services } = identityStand({ clock, books });
  return {
    server,
    databases,
    serve: () =>
      server.serve({
        databases,
        administration,
        profiling,
        rulesHistory,
        denials,
        recorder,
        replay,
        explanations: new Explanations({ committer, openDatabase }),
        coverage,
        explorer: new Explorer({ store, clock }),
        livePages: new LivePages({ store, clock, feeds, openDatabase }),
        feeds,
        activity: new ActivityLedger({
          clock,
          feeds,
          activities: () => databases.activities(),
          find: (name) => databases.activityOf(name),
        }),
        connections: new Connections([eventStreams]),
        serverActivity: new ServerActivity({
          clock,
          readProcess: readProcessFigures,
          readDisk: () => ({ freeBytes: 1, totalBytes: 2 }),
          store,
        }),
        imports,
        eventStreams,
        webSockets,
        longPolls,
        identity: new IdentityHttp({
          services,
          admins: emulatorAdmins,
          routes: DEVELOPMENT_ROUTES,
          logger,
          transport: LOCAL_TRANSPORT,
          exchange: null,
          defaultProject: 'demo',
        }),
        audit: new AuditLog({ books, clock, logger }),
        hostedPages: new HostedPages({
          services,
          transport: LOCAL_TRANSPORT,
          pages: { html: undefined, assets: new Map() },
          mailbox: null,
          defaultProject: 'demo',
        }),
        consolePages: new ConsolePages({
          pages: { html: undefined, assets: new Map() },
          mode: 'development',
          defaultProject: 'demo',
          version: '0.0.0',
          randomBytes: services.randomBytes,
        }),
        about: { mode: 'development', version: '0.0.0', defaultProject: 'demo' },
        verifiers: { token, bearer: emulatorBearerVerifier },
        admins: emulatorAdmins,
        members: new Members(services),
        startSignIn: (project, address) => startSignIn(services, project, address),
        projects: new ProjectAdministration({
          projects: services.projects,
          serviceAccounts: new ServiceAccounts({ books, randomBytes: services.randomBytes }),
          newSettings: DEVELOPMENT_SETTINGS,
        }),
        mails: new MailAdministration({ services, findMailer: () => MISSING_MAILER }),
        accountDirectory: new AccountDirectory(services.books),
        accountSearches: new AccountSearches(services.books),
        databaseOwners: null,
        setUpOwner: null,
        ...change,
      }),
    log,
  };
}
