import { scopeOfRecords } from '../auth/accounts/account-store.ts';
import { AccountDirectory } from '../auth/accounts/directory.ts';
import { AccountIndexing } from '../auth/accounts/indexing.ts';
import { AccountMerges } from '../auth/accounts/merges.ts';
import { AccountSearches } from '../auth/accounts/search.ts';
import { createAlertSend } from '../auth/alerts/alert-webhook.ts';
import { Alerts } from '../auth/alerts/alerts.ts';
import { AuthApiBodies } from '../auth/api/body.ts';
import { AuthApiHttp } from '../auth/api/handler.ts';
import { DatabaseAppChecks } from '../auth/app-check/database-app-checks.ts';
import { SmsAdministration } from '../auth/phone/sms-administration.ts';
import { SmsReceipts } from '../auth/phone/sms-receipts.ts';
import { SmsSamples } from '../auth/phone/sms-samples.ts';
import { ProjectAdministration } from '../auth/projects/administration.ts';
import { MailAdministration } from '../auth/projects/mail-administration.ts';
import { EMULATOR_ADMIN_NAME, LOCAL_ADMIN_NAME } from '../auth/roles/administrators.ts';
import { DataActionLog } from '../auth/roles/data-action-log.ts';
import { revokeLive, revokeLiveGrants, revokeLiveMembers } from '../auth/roles/live-revocation.ts';
import { Members } from '../auth/roles/members.ts';
import type { AuthServices } from '../auth/services.ts';
import { startSignIn } from '../auth/sign-in/providers.ts';
import type { AccountScope } from '../auth/tenants/scope.ts';
import { BodyBudget } from '../http/body-budget.ts';
import type { DatabaseService } from '../realtime/database/api.ts';
import { BackgroundWork } from '../realtime/database/background-work.ts';
import { DatabaseCatalog, findRecords } from '../realtime/database/catalog.ts';
import type { Databases } from '../realtime/database/registry.ts';
import { LostSessions } from '../realtime/disconnect/queue.ts';
import { Explanations } from '../realtime/explorer/explanations.ts';
import type { ImportService } from '../realtime/import/import.ts';
import { Imports } from '../realtime/import/imports.ts';
import { findRules } from '../rules/publishing/versions.ts';
import { ConsolePages } from '../site/console-pages.ts';
import { HostedPages } from '../site/hosted-pages.ts';
import type { KvStore } from '../storage/kv/store.ts';
import { createFigureReader } from './alert-figures.ts';
import { openAuth } from './open-auth.ts';
import type { SiteServices } from './open-http.ts';
import { openRealtime } from './open-realtime.ts';
import { openStorage } from './open-storage.ts';
import type { Ports } from './ports.ts';

/** Access to the databases for services other than request handlers. */
export interface DatabaseAccess {
  readonly databases: DatabaseService;
  readonly imports: ImportService;
  /** Returns whether rules have been published for the database. */
  hasRules(database: string): boolean;
  readonly databaseNames: () => readonly string[];
  readonly accounts: AuthServices;
}

/** The services of a server without the port. */
export interface Backend extends SiteServices, DatabaseAccess {
  readonly databases: Databases;
  /** Path of the setup link for the first owner, including its secret. `null` if no link is needed. */
  readonly ownerLinkPath: string | null;
  close(): Promise<void>;
}

/** Opens everything that works on a store. Rejects with a `StartFailure`. */
export async function openBackend(ports: Ports): Promise<Backend> {
  const { clock, logger, mode, random, version } = ports;
  const { randomBytes } = random;
  const storage = openStorage(ports);
  const {
    store,
    scheduler,
    databases,
    openDatabase,
    denials,
    recorder,
    replay,
    proposals,
    recordStore,
    audit,
    emulation,
  } = storage;
  const auth = await openAuth(ports, storage);
  const { services, access, serviceAccounts, findMailer, findTestSmsSender } = auth;
  const lostSessions = new LostSessions({ store, scheduler, logger, openDatabase });
  await lostSessions.finishAll();
  const imports = new Imports({
    scheduler,
    clock,
    openDatabase,
    places: ports.admission.streamedWrites,
  });
  await imports.dropStaged();
  const { developmentProject } = mode;
  const ownerOf = (name: string) => access.databaseOwners?.find(name) ?? developmentProject ?? undefined;
  const appChecks = new DatabaseAppChecks(services, ownerOf);
  const realtime = openRealtime(ports, storage, { ...access, appChecks }, lostSessions, imports);
  const { sessions, eventStreams, feeds, activity, serverActivity } = realtime;
  activity.start();
  serverActivity.start();
  const { replication } = ports;
  const alerts = new Alerts({
    services,
    readFigures: createFigureReader(databases, ownerOf, ports.readDisk),
    send: createAlertSend(mode.mayReachHook),
    logger,
    whenCurrent: replication && (() => replication.whenCurrent()),
  });
  audit.observe((event) => alerts.observe(event));
  alerts.start();
  const { transport } = mode.http;
  const members = new Members(services);
  const defaultProject = mode.developmentProject;
  const bodies = { budget: new BodyBudget(ports.admission.bodies, transport.networkOfClient) };
  const authApi = new AuthApiHttp({
    services,
    admins: access.admins,
    routes: access.authRoutes,
    exchange: access.exchange,
    transport,
    logger,
    defaultProject,
    bodies,
  });
  const hostedPages = new HostedPages({
    services,
    transport,
    pages: ports.actionPages,
    signInPages: ports.signInPages,
    bodies: new AuthApiBodies(bodies),
    allowedHosts: mode.http.allowedHosts,
    clientPackage: ports.clientPackage,
    mailbox: emulation?.mailbox ?? null,
    phone: emulation?.phone ?? null,
    defaultProject,
  });
  const about = { mode: defaultProject === null ? 'serve' : 'development', defaultProject, version } as const;
  const consolePages = new ConsolePages({ pages: ports.consolePages, ...about, randomBytes });
  auth.startMail();
  const accountSearches = new AccountSearches(recordStore, ports.admission.accountSearches);
  const live = [sessions, eventStreams, feeds, databases.profiling, accountSearches];
  revokeLive(recordStore, live);
  revokeLiveGrants(recordStore, serviceAccounts.find, live);
  revokeLiveMembers(recordStore, live);
  const indexing = new AccountIndexing({ recordStore, logger });
  indexing.start(listAccountScopes(store));
  const background = new BackgroundWork({
    store,
    scheduler,
    clock,
    logger,
    changes: storage.changeUpkeep,
  });
  background.start();
  return {
    ...realtime,
    databases,
    administration: databases.administration,
    profiling: databases.profiling,
    rulesHistory: databases.rulesHistory,
    denials,
    recorder,
    replay,
    proposals,
    explanations: new Explanations({ scheduler, openDatabase }),
    coverage: emulation?.coverage ?? null,
    imports,
    changes: storage.changes,
    accounts: services,
    authApi,
    audit,
    auditReader: audit,
    alerts,
    smsReceipts: new SmsReceipts(services, transport.originOf),
    hostedPages,
    consolePages,
    about,
    verifiers: access.verifiers,
    appChecks,
    admins: access.admins,
    members,
    dataActions: new DataActionLog({
      audit,
      members,
      ownerOf,
      operatorName: defaultProject === null ? LOCAL_ADMIN_NAME : EMULATOR_ADMIN_NAME,
    }),
    startSignIn: (project, address) => startSignIn(services, project, address),
    projects: new ProjectAdministration({
      projects: services.projects,
      serviceAccounts,
      captcha: services.captcha,
      newSettings: mode.newProjectSettings,
    }),
    mails: new MailAdministration({ services, findMailer }),
    textMessages: new SmsAdministration(services),
    smsSamples: new SmsSamples({ services, findSender: findTestSmsSender }),
    accountDirectory: new AccountDirectory(recordStore),
    accountSearches,
    accountMerges: new AccountMerges(services),
    tenants: services.tenants,
    databaseOwners: access.databaseOwners,
    setUpOwner: access.setUpOwner,
    ownerLinkPath: access.ownerLinkPath,
    databaseNames: () => store.read((tx) => new DatabaseCatalog().names(tx, '', Number.POSITIVE_INFINITY)),
    hasRules: (database) => store.read((tx) => findRules(tx, database) !== undefined),
    async close() {
      background[Symbol.dispose]();
      indexing[Symbol.dispose]();
      realtime.appCheckSweep[Symbol.dispose]();
      activity[Symbol.dispose]();
      serverActivity[Symbol.dispose]();
      await alerts[Symbol.asyncDispose]();
      emulation?.[Symbol.dispose]();
      auth.closeTokens();
      lostSessions[Symbol.dispose]();
      await auth.closeMail();
      await imports.close();
      await auth.closeThreads();
      await denials.close();
      await audit[Symbol.asyncDispose]();
      await scheduler.drain();
      store[Symbol.dispose]();
    },
  };
}

/** Returns the scopes that may have accounts. */
function listAccountScopes(store: KvStore): readonly AccountScope[] {
  const names = store.read((tx) => new DatabaseCatalog().allNames(tx, '', Number.POSITIVE_INFINITY));
  return names.flatMap((name) => {
    const records = findRecords(name);
    return (records === undefined ? undefined : scopeOfRecords(records)) ?? [];
  });
}
