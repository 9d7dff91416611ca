import { LiveFeeds } from '../http/feed.ts';
import { readProcessStats } from '../platform/process.ts';
import { countPending, type LostSessions } from '../realtime/database/disconnect-queue.ts';
import { Explorer } from '../realtime/explorer/explorer.ts';
import { LivePages } from '../realtime/explorer/live-pages.ts';
import { ActivityHistory } from '../realtime/monitoring/activity-ledger.ts';
import { Connections } from '../realtime/monitoring/connections.ts';
import { ServerActivity } from '../realtime/monitoring/metrics.ts';
import { LongPollService } from '../realtime/protocol/long-poll.ts';
import { SessionDirectory } from '../realtime/protocol/session-registry.ts';
import { connectionSettings } from '../realtime/protocol/websocket-connection.ts';
import { WebSocketService } from '../realtime/protocol/websocket-server.ts';
import { EventStreams } from '../realtime/rest/event-stream.ts';
import type { Access } from './access.ts';
import type { Storage } from './open-storage.ts';
import type { Ports } from './ports.ts';

/** A peer that vanished without a word is missed after one to two of these. */
const ALIVE_INTERVAL_MS = 40_000;

/** Clients that poll ask again after 25 s, and some proxies give up after 30 s. */
const POLL_TIMEOUTS = { holdMs: 20_000, silenceMs: 60_000, abandonedMs: 5_000 };

/** Proxies end a connection on which nothing was said for a minute. */
const STREAM_KEEP_ALIVE_MS = 30_000;

/** Each is an open connection of a client that has nothing else. */
const MAX_EVENT_STREAMS = 20_000;

/** Each is a page of a console that is open, or another reader of what goes on. */
const FEED_LIMITS = { total: 1_000, ofDatabase: 200, forContext: 20 };

/** A client that begins and never polls keeps its place until it is missed. */
const MAX_POLLING_CLIENTS = 10_000;

/** The open connections of clients, and the figures about them. */
export interface Realtime {
  readonly sessions: SessionDirectory;
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

/** Opens what keeps connections, none of which there are yet. */
export function openRealtime(
  ports: Ports,
  { store, scheduler, databases, openDatabase }: Storage,
  { verifiers }: Access,
  lostSessions: LostSessions,
): Realtime {
  const { clock, logger, mode, random } = ports;
  const { transport } = mode.http;
  const addressOf = transport.clientAddressOf;
  const nextConnectionId = counter();
  const sessions = new SessionDirectory({
    scheduler,
    verifier: verifiers.token,
    unfinished: lostSessions,
    clock,
    openDatabase,
    createSessionId: random.sessionId,
    nextConnectionId,
    countPending: (id) => store.read((tx) => countPending(tx, id)),
  });
  const settings = connectionSettings({
    maxBacklogBytes: ports.maxBacklogBytes,
    maxMessageUnits: ports.maxMessageUnits,
  });
  const longPolls = new LongPollService({
    settings,
    timeouts: POLL_TIMEOUTS,
    maxConnections: MAX_POLLING_CLIENTS,
    sessions,
    addressOf,
    createPassword: random.sessionId,
  });
  const webSockets = new WebSocketService({
    settings,
    aliveIntervalMs: ALIVE_INTERVAL_MS,
    sessions,
    forwardedAddressOf: transport.forwardedAddressOf,
    upgradable: longPolls,
    logger,
  });
  const eventStreams = new EventStreams({
    clock,
    sendBuffer: settings.sendBuffer,
    outgoing: settings.outgoing,
    keepAliveMs: STREAM_KEEP_ALIVE_MS,
    maxStreams: MAX_EVENT_STREAMS,
    nextConnectionId,
    addressOf,
  });
  const feeds = new LiveFeeds({ clock, limits: FEED_LIMITS });
  const activity = new ActivityHistory({
    clock,
    feeds,
    activities: () => databases.activities(),
    find: (name) => databases.activityOf(name),
  });
  const serverActivity = new ServerActivity({
    clock,
    readProcess: readProcessStats,
    readDisk: ports.readDisk,
    store,
  });
  return {
    sessions,
    longPolls,
    webSockets,
    eventStreams,
    feeds,
    activity,
    serverActivity,
    connections: new Connections([sessions, eventStreams]),
    explorer: new Explorer({ store, clock }),
    livePages: new LivePages({ store, clock, feeds, openDatabase }),
  };
}

/** Counts 1, 2, 3 … */
function counter(): () => number {
  let count = 0;
  return () => ++count;
}
