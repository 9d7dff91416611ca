import type { DatabaseAppCheck } from '../access/app-check.ts';
import { LiveFeeds } from '../http/feed.ts';
import { readProcessStats } from '../platform/process.ts';
import { DatabaseCatalog } from '../realtime/database/catalog.ts';
import { countPending, type LostSessions } from '../realtime/disconnect/queue.ts';
import { Explorer } from '../realtime/explorer/explorer.ts';
import { LivePages } from '../realtime/explorer/live-pages.ts';
import type { StagedWrites } from '../realtime/import/import.ts';
import { ActivityHistory } from '../realtime/monitoring/activity-history.ts';
import { AppCheckSweep } from '../realtime/monitoring/app-check-sweep.ts';
import { Connections } from '../realtime/monitoring/connections.ts';
import { ServerActivity } from '../realtime/monitoring/metrics.ts';
import { ActivitySeries } from '../realtime/monitoring/series/activity-series.ts';
import { LongPollService } from '../realtime/protocol/long-poll.ts';
import { SessionRegistry } from '../realtime/protocol/session-registry.ts';
import { connectionSettings } from '../realtime/protocol/websocket-connection.ts';
import { WebSocketService } from '../realtime/protocol/websocket-server.ts';
import { EventStreams } from '../realtime/rest/event-streams.ts';
import type { Access } from './access.ts';
import type { Storage } from './open-storage.ts';
import type { Ports } from './ports.ts';

/**
 * Interval of the checks whether clients are alive, in ms. The server detects a vanished client after one to two
 * intervals.
 */
const HEARTBEAT_INTERVAL_MS = 40_000;

/** Clients repeat a poll after 25 s, and some proxies time out after 30 s. */
const POLL_TIMEOUTS = { holdMs: 20_000, silenceMs: 60_000, abandonedMs: 5_000 };

/** Interval of keep-alive events, in ms. Proxies end a connection that has had no traffic for a minute. */
const STREAM_KEEP_ALIVE_MS = 30_000;

/** Maximum number of live pages and streams of one database. */
const MAX_FEEDS_OF_DATABASE = 200;

/** The registries of open connections, and the statistics of the server. */
export interface Realtime {
  readonly appCheckSweep: AppCheckSweep;
  readonly sessions: SessionRegistry;
  readonly longPolls: LongPollService;
  readonly webSockets: WebSocketService;
  readonly eventStreams: EventStreams;
  readonly feeds: LiveFeeds;
  readonly activity: ActivityHistory;
  readonly serverActivity: ServerActivity;
  readonly connections: Connections;
  readonly explorer: Explorer;
  readonly livePages: LivePages;
}

/** Creates the registries of connections and the statistics, without any connections. */
export function openRealtime(
  ports: Ports,
  { store, scheduler, databases, openDatabase }: Storage,
  { verifiers, appChecks }: Pick<Access, 'verifiers'> & { readonly appChecks: DatabaseAppCheck },
  lostSessions: LostSessions,
  stagedWrites: StagedWrites,
): Realtime {
  const { clock, logger, mode, random } = ports;
  const { transport } = mode.http;
  const { clientAddressOf: addressOf, networkOfClient: networkOf } = transport;
  const nextConnectionId = createCounter();
  const sessions = new SessionRegistry({
    scheduler,
    verifier: verifiers.token,
    appChecks,
    unfinished: lostSessions,
    pools: ports.admission,
    stagedWrites,
    clock,
    openDatabase,
    createSessionId: random.sessionId,
    nextConnectionId,
    countPending: (id) => store.read((tx) => countPending(tx, id)),
  });
  const settings = connectionSettings(
    { maxBacklogBytes: ports.maxBacklogBytes, maxMessageUnits: ports.maxMessageUnits },
    ports.admission.messages,
  );
  const longPolls = new LongPollService({
    settings,
    timeouts: POLL_TIMEOUTS,
    places: ports.admission.pollingClients,
    sessions,
    addressOf,
    networkOf,
    createPassword: random.sessionId,
  });
  const webSockets = new WebSocketService({
    settings,
    aliveIntervalMs: HEARTBEAT_INTERVAL_MS,
    sessions,
    forwardedAddressOf: transport.forwardedAddressOf,
    networkOf,
    upgradable: longPolls,
    logger,
  });
  const eventStreams = new EventStreams({
    clock,
    appChecks,
    sendBuffer: settings.sendBuffer,
    messages: settings.messages,
    listens: ports.admission.listens,
    keepAliveMs: STREAM_KEEP_ALIVE_MS,
    places: ports.admission.eventStreams,
    nextConnectionId,
    addressOf,
    networkOf,
  });
  const feeds = new LiveFeeds({
    clock,
    places: ports.admission.liveFeeds,
    maxOfDatabase: MAX_FEEDS_OF_DATABASE,
  });
  const catalog = new DatabaseCatalog();
  const series = new ActivitySeries({
    store,
    scheduler,
    clock,
    logger,
    isStored: (tx, name) => catalog.isStored(tx, name),
  });
  const activity = new ActivityHistory({
    clock,
    feeds,
    activities: () => databases.activities(),
    find: (name) => databases.activityOf(name),
    series,
  });
  const serverActivity = new ServerActivity({
    clock,
    readProcess: readProcessStats,
    readDisk: ports.readDisk,
    admission: ports.admission,
    eventLoop: ports.eventLoop,
    store,
    appChecks,
    readCluster: ports.readCluster,
  });
  return {
    appCheckSweep: new AppCheckSweep([sessions, eventStreams]),
    sessions,
    longPolls,
    webSockets,
    eventStreams,
    feeds,
    activity,
    serverActivity,
    connections: new Connections([sessions, eventStreams]),
    explorer: new Explorer({
      store,
      clock,
      searches: ports.admission.searches,
      counts: ports.admission.counts,
    }),
    livePages: new LivePages({ store, clock, feeds, openDatabase }),
  };
}

/** Returns a function that returns 1, 2, 3, … */
function createCounter(): () => number {
  let count = 0;
  return () => ++count;
}
