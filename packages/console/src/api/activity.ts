import type {
  ActivityCosts,
  ActivityPast,
  ActivitySample,
  HistoryRange,
  ListedQuery,
} from '@hearth/core/api/activity.ts';
import type { AlertSettings, ProjectAlerts } from '@hearth/core/api/alerts.ts';
import type { Api } from './client.ts';

/** An event of the activity stream: first the history, then one sample per second. */
export type ActivityEvent =
  | { readonly kind: 'history'; readonly sampleSec: number; readonly samples: readonly ActivitySample[] }
  | { readonly kind: 'sample'; readonly sample: ActivitySample };

export interface Connection {
  readonly id: number;
  readonly address: string;
  readonly userAgent: string;
  /** SDK name and version that the client reports, such as `sdk.js.12-0-0`. */
  readonly sdk: string | null;
  readonly transport: 'websocket' | 'long-poll' | 'event-stream';
  readonly sinceMs: number;
  readonly identity: { readonly kind: 'guest' | 'admin' | 'viewer' | 'user'; readonly uid?: string | null };
  readonly listens: number;
  readonly pendingDisconnects: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export interface ConnectionDetail extends Connection {
  /** The first 200 listens of the connection. */
  readonly listening: readonly {
    readonly path: string;
    readonly query: Readonly<Record<string, unknown>> | null;
  }[];
}

export interface HotPath {
  /** A path template, such as `/rooms/$room`. A `*` stands for a generated key that no wildcard of the rules matches. */
  readonly path: string;
  readonly count: number;
}

function at(database: string, ...segments: readonly string[]): string {
  return `/api/databases/${[database, ...segments].map(encodeURIComponent).join('/')}`;
}

/**
 * Yields the activity of a database until the server ends the stream. Rejects if the signal aborts or the connection
 * breaks.
 */
export async function* followActivity(
  api: Api,
  database: string,
  signal: AbortSignal,
): AsyncGenerator<ActivityEvent, void, undefined> {
  for await (const { event, data } of api.events(at(database, 'activity'), { signal }))
    if (event === 'history') yield { kind: 'history', ...JSON.parse(data) } as ActivityEvent;
    else if (event === 'sample') yield { kind: 'sample', sample: JSON.parse(data) as ActivitySample };
}

/** Reads the activity of a database in the last hour, day, week or 30 days. */
export function readPastActivity(api: Api, database: string, range: HistoryRange): Promise<ActivityPast> {
  return api.json(at(database, 'activity', 'history'), { query: { range } });
}

/** Lists at most `limit` connections with IDs greater than `after`, oldest first; with `uid`, only those of this user. */
export function listConnections(
  api: Api,
  database: string,
  after: number | undefined,
  limit: number,
  uid?: string,
): Promise<{ readonly connections: readonly Connection[]; readonly next: number | null }> {
  return api.json(at(database, 'connections'), { query: { after, limit, uid } });
}

export function readConnection(api: Api, database: string, id: number): Promise<ConnectionDetail> {
  return api.json(at(database, 'connections', String(id)));
}

/** Ends a connection. The client may reconnect. */
export async function endConnection(api: Api, database: string, id: number): Promise<void> {
  await api.send(at(database, 'connections', String(id)), { method: 'DELETE' });
}

export async function listQueries(api: Api, database: string): Promise<readonly ListedQuery[]> {
  const { queries } = await api.json<{ readonly queries: readonly ListedQuery[] }>(at(database, 'queries'));
  return queries;
}

/** The most frequent paths, most frequent first. */
export interface HotPaths {
  readonly reads: readonly HotPath[];
  readonly writes: readonly HotPath[];
  readonly halfLifeMs: number;
}

/** Lists the paths that clients recently read and wrote most, at most `limit` of each. */
export function listHotPaths(api: Api, database: string, limit: number): Promise<HotPaths> {
  return api.json(at(database, 'hot-paths'), { query: { limit } });
}

/** Lists the recent costs of paths and of accounts, at most `limit` of each. */
export function listCosts(api: Api, database: string, limit: number): Promise<ActivityCosts> {
  return api.json(at(database, 'costs'), { query: { limit } });
}

/** Resource use of the server process. */
export interface ServerActivity {
  readonly timeMs: number;
  readonly uptimeSec: number;
  readonly cpu: { readonly share: number; readonly totalMs: number };
  readonly memory: { readonly residentBytes: number; readonly heapUsedBytes: number };
  readonly eventLoop: { readonly busyShare: number; readonly longestDelayMs: number };
  readonly store: { readonly sizeBytes: number; readonly usedBytes: number; readonly freeBytes: number };
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number };
}

export function readServerActivity(api: Api): Promise<ServerActivity> {
  return api.json('/api/server/activity');
}

function alertsPath(project: string): string {
  return `/api/projects/${encodeURIComponent(project)}/alerts`;
}

export function readAlerts(api: Api, project: string): Promise<ProjectAlerts> {
  return api.json(alertsPath(project));
}

/** Replaces the settings. `secret` signs messages to a new webhook; `null` if its address has not changed. */
export function changeAlerts(
  api: Api,
  project: string,
  settings: AlertSettings,
): Promise<ProjectAlerts & { readonly secret: string | null }> {
  return api.json(alertsPath(project), { method: 'PUT', body: settings });
}
