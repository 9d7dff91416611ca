import type { Api } from './client.ts';

/** What was done to a database in a stretch of time that ended at `timeMs`. */
export interface ActivitySample {
  readonly timeMs: number;
  readonly reads: number;
  readonly writes: number;
  readonly denied: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** Number of open connections at the end of the period. */
  readonly connections: number;
  /** Durations within which 50% and 99% of the requests completed; `null` if there were no requests. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** What a stream of activity tells: first what was, then every second what was in it. */
export type ActivityEvent =
  | { readonly kind: 'history'; readonly sampleSec: number; readonly samples: readonly ActivitySample[] }
  | { readonly kind: 'sample'; readonly sample: ActivitySample };

export interface Connection {
  readonly id: number;
  readonly address: string;
  readonly userAgent: string;
  /** What the client says that it is, such as `sdk.js.12-0-0`. */
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
  /** The first of what it listens to. */
  readonly listening: readonly {
    readonly path: string;
    readonly query: Readonly<Record<string, unknown>> | null;
  }[];
}

/** A query that should be cheaper, as often as it was seen lately. */
export interface RecordedQuery {
  readonly location: string;
  readonly orderBy: string;
  readonly isIndexed: boolean;
  readonly count: number;
  readonly refused: number;
  readonly slowestMs: number;
  readonly mostChildren: number | null;
  readonly latestAtMs: number;
  /** What to add to the rules at the location; `null` where that is not the reason. */
  readonly fix: string | null;
}

export interface HotPath {
  readonly path: string;
  readonly count: number;
}

function at(database: string, ...segments: readonly string[]): string {
  return `/api/databases/${[database, ...segments].map(encodeURIComponent).join('/')}`;
}

/** What is done to a database, until the connection or the signal ends it. */
export async function* followActivity(
  api: Api,
  database: string,
  signal: AbortSignal,
): AsyncGenerator<ActivityEvent, void, undefined> {
  for await (const { event, data } of api.events(at(database, 'activity'), { signal }))
    if (event === 'history') yield { kind: 'history', ...JSON.parse(data) } as ActivityEvent;
    else if (event === 'sample') yield { kind: 'sample', sample: JSON.parse(data) as ActivitySample };
}

/** Who is connected, in the order in which they came: those after one, at most `limit`. */
export function listConnections(
  api: Api,
  database: string,
  after: number | undefined,
  limit: number,
): Promise<{ readonly connections: readonly Connection[]; readonly next: number | null }> {
  return api.json(at(database, 'connections'), { query: { after, limit } });
}

export function readConnection(api: Api, database: string, id: number): Promise<ConnectionDetail> {
  return api.json(at(database, 'connections', String(id)));
}

/** Ends a connection. Its client may come back. */
export async function endConnection(api: Api, database: string, id: number): Promise<void> {
  await api.send(at(database, 'connections', String(id)), { method: 'DELETE' });
}

export async function listQueries(api: Api, database: string): Promise<readonly RecordedQuery[]> {
  const { queries } = await api.json<{ readonly queries: readonly RecordedQuery[] }>(at(database, 'queries'));
  return queries;
}

/** The paths that were read and written most often lately. */
export function listHotPaths(
  api: Api,
  database: string,
): Promise<{
  readonly reads: readonly HotPath[];
  readonly writes: readonly HotPath[];
  readonly halfLifeMs: number;
}> {
  return api.json(at(database, 'hot-paths'));
}

/** How the server itself is doing. */
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
