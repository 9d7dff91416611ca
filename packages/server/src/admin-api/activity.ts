import type { IncomingMessage } from 'node:http';
import { HISTORY_RANGES, type ListedQuery, type RecordedQuery } from '@hearth/core/api/activity.ts';
import { ALERT_KINDS } from '@hearth/core/api/alerts.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { AuditTrail } from '../audit/trail.ts';
import { parseAlertSettings } from '../auth/alerts/alert-store.ts';
import type { Alerts } from '../auth/alerts/alerts.ts';
import { type Answer, feedAnswer, jsonAnswer, wholeText } from '../http/response.ts';
import { isLoopback } from '../platform/network-address.ts';
import type { ActivityHistory } from '../realtime/monitoring/activity-history.ts';
import { HALF_LIFE_MS } from '../realtime/monitoring/hot-paths.ts';
import { metricsText, type ServerActivity } from '../realtime/monitoring/metrics.ts';
import { recordAdminAction } from './audit.ts';
import {
  parseChoiceParameter,
  parseLimitParameter,
  readFields,
  requireKnownParameters,
  segmentNamespace,
} from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface ActivityServices {
  readonly activity: ActivityHistory;
  readonly serverActivity: ServerActivity;
}

const DATABASE = '/api/databases/{database}';

/** Returns the routes that report the activity of a database and of the server. */
export function activityRoutes(services: ActivityServices): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path: `${DATABASE}/activity`,
      run: (request) => streamActivity(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: `${DATABASE}/activity/history`,
      run: (request) => readHistory(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: `${DATABASE}/queries`,
      run: (request) => listQueries(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: `${DATABASE}/hot-paths`,
      run: (request) => listHotPaths(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: `${DATABASE}/costs`,
      run: (request) => listCosts(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: '/api/server/activity',
      run: (request) => readServerActivity(services, request),
      right: 'read',
      isFor: 'any-project',
    },
  ];
}

/**
 * `GET …/activity`: streams the activity of the last 15 minutes, and then, every second, the activity in that
 * second.
 */
async function streamActivity(services: ActivityServices, request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(request.query, []);
  if (!request.wantsEvents)
    throw new RequestError(
      'http/parameter',
      'Activity is a stream of events: send Accept: text/event-stream.',
    );
  return feedAnswer(services.activity.follow(request.identity, request.holder, database));
}

/** `GET …/activity/history`: returns the activity of the last hour, day, week or month, which `range` names. */
async function readHistory(services: ActivityServices, request: ApiRequest): Promise<Answer> {
  const { query } = request;
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(query, ['range']);
  const range = parseChoiceParameter(query, 'range', HISTORY_RANGES);
  return jsonAnswer(services.activity.readPast(database, range));
}

/** `GET …/queries`: lists recent queries that were slow or had no index, most recent first. */
async function listQueries(services: ActivityServices, request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(request.query, []);
  const recorded = services.activity.find(database).queries.all();
  const queries: readonly ListedQuery[] = recorded.map((query) => ({
    ...query,
    fix: suggestIndexRule(query),
  }));
  return jsonAnswer({ queries });
}

/** Returns the line to add to the rules at the location of a query, or `null` if the query has an index. */
function suggestIndexRule({ isIndexed, orderBy }: RecordedQuery): string | null {
  return isIndexed ? null : `".indexOn": ${JSON.stringify(orderBy)}`;
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;
const DEFAULT_COSTS = 100;

/** `GET …/hot-paths`: lists the paths that were recently read and written most often. */
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

/** `GET …/costs`: lists the recent costs of listens, requests and rules, by path and by principal. */
async function listCosts(services: ActivityServices, request: ApiRequest): Promise<Answer> {
  const { query } = request;
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(query, ['limit']);
  const limit = parseLimitParameter(query, DEFAULT_COSTS, MAX_LIMIT);
  return jsonAnswer(services.activity.find(database).costs.read(limit));
}

/** `GET /api/server/activity`: returns metrics of the server process. */
async function readServerActivity(services: ActivityServices, { query }: ApiRequest): Promise<Answer> {
  requireKnownParameters(query, []);
  return jsonAnswer(services.serverActivity.read());
}

/** Headers in which proxies describe the clients whose requests they forward. */
const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'via'];

/** `GET /metrics`: returns the metrics of the server for Prometheus. */
export function readMetrics({ activity, serverActivity }: ActivityServices): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    body: wholeText(metricsText(activity.totals, serverActivity.read())),
  };
}

/** Returns whether the request comes from a program on this machine and no proxy has forwarded it. */
export function isLocalRequest({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  // An IPv6 socket shows IPv4 addresses with this prefix.
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return isLoopback(address) && PROXY_HEADERS.every((name) => headers[name] === undefined);
}

export interface AlertServices {
  readonly audit: AuditTrail;
  readonly alerts: Alerts;
}

const ALERTS = '/api/projects/{project}/alerts';

/** Returns the routes of the alerts of a project. */
export function alertRoutes(services: AlertServices): readonly ApiRoute[] {
  return [
    { method: 'GET', path: ALERTS, run: (request) => readAlerts(services, request), right: 'read' },
    { method: 'PUT', path: ALERTS, run: (request) => changeAlerts(services, request), right: 'admin' },
  ];
}

/** `GET …/alerts`: returns the settings and the state of each alert. */
async function readAlerts({ alerts }: AlertServices, { segments, query }: ApiRequest): Promise<Answer> {
  requireKnownParameters(query, []);
  return jsonAnswer(alerts.read(segments['project'] ?? ''));
}

/**
 * `PUT …/alerts` with `{"thresholds", "mailsOwners", "webhook"}`: replaces the settings. `secret` in the response signs
 * messages to a new webhook; `null` if the address has not changed.
 */
async function changeAlerts({ alerts, audit }: AlertServices, request: ApiRequest): Promise<Answer> {
  const project = request.segments['project'] ?? '';
  const settings = parseAlertSettings(await readFields(request, ['thresholds', 'mailsOwners', 'webhook']));
  const secret = await alerts.change(project, settings, request.origin);
  const kinds = ALERT_KINDS.filter((kind) => settings.thresholds[kind] !== undefined);
  recordAdminAction(audit, request, project, 'alerts_changed', kinds.join(', ') || null);
  return jsonAnswer({ ...alerts.read(project), secret });
}
