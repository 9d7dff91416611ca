import type { IncomingMessage } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { type Answer, feedAnswer, jsonAnswer, wholeText } from '../http/response.ts';
import { isLoopback } from '../platform/network-address.ts';
import type { ActivityHistory } from '../realtime/monitoring/activity-ledger.ts';
import { HALF_LIFE_MS } from '../realtime/monitoring/hot-paths.ts';
import { metricsText, type ServerActivity } from '../realtime/monitoring/metrics.ts';
import type { RecordedQuery } from '../realtime/monitoring/queries.ts';
import { parseLimitParameter, requireKnownParameters, segmentNamespace } from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface ActivityServices {
  readonly activity: ActivityHistory;
  readonly serverActivity: ServerActivity;
}

const DATABASE = '/api/databases/{database}';

/** Returns the routes of what is done in a database and on the server. */
export function activityRoutes(services: ActivityServices): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path: `${DATABASE}/activity`,
      run: (request) => followActivity(services, request),
      right: 'look',
    },
    {
      method: 'GET',
      path: `${DATABASE}/queries`,
      run: (request) => listQueries(services, request),
      right: 'look',
    },
    {
      method: 'GET',
      path: `${DATABASE}/hot-paths`,
      run: (request) => listHotPaths(services, request),
      right: 'look',
    },
    {
      method: 'GET',
      path: '/api/server/activity',
      run: (request) => readServerActivity(services, request),
      right: 'look',
      isFor: 'any-project',
    },
  ];
}

/** `GET …/activity`: what was done in the last quarter of an hour, and then every second what was done in it. */
async function followActivity(services: ActivityServices, request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(request.query, []);
  if (!request.wantsEvents)
    throw new RequestError(
      'http/parameter',
      'Activity is a stream of events: send Accept: text/event-stream.',
    );
  return feedAnswer(services.activity.follow(request.identity, database));
}

/** `GET …/queries`: queries lately that were slow or had no index, latest first. */
async function listQueries(services: ActivityServices, request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(request.query, []);
  const recorded = services.activity.find(database).queries.all();
  return jsonAnswer({ queries: recorded.map((query) => ({ ...query, fix: fixOf(query) })) });
}

/** What to add to the rules at the location of a query. */
function fixOf({ isIndexed, orderBy }: RecordedQuery): string | null {
  return isIndexed ? null : `".indexOn": ${JSON.stringify(orderBy)}`;
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;

/** `GET …/hot-paths`: the paths that were read and written most often lately. */
async function listHotPaths(services: ActivityServices, request: ApiRequest): Promise<Answer> {
  const { query } = request;
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(query, ['limit']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const { hotReads, hotWrites } = services.activity.find(database);
  return jsonAnswer({
    reads: hotReads.top(limit),
    writes: hotWrites.top(limit),
    halfLifeMs: HALF_LIFE_MS,
  });
}

/** `GET /api/server/activity`: how the process does. */
async function readServerActivity(services: ActivityServices, { query }: ApiRequest): Promise<Answer> {
  requireKnownParameters(query, []);
  return jsonAnswer(services.serverActivity.read());
}

/** What proxies say of those they speak for. */
const OF_PROXIES = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'via'];

/** `GET /metrics`: what goes on, for Prometheus. */
export function readMetrics({ activity, serverActivity }: ActivityServices): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    body: wholeText(metricsText(activity.totals, serverActivity.read())),
  };
}

/** Does a program on this machine ask, for nobody else? */
export function asksFromHere({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  // Where IPv4 comes by way of IPv6, so it is written.
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return isLoopback(address) && OF_PROXIES.every((name) => headers[name] === undefined);
}
