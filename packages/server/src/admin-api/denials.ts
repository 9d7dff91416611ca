import { RequestError } from '@hearth/core/error/request-error.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import type { LiveFeeds } from '../http/feed.ts';
import { type Answer, feedAnswer, jsonAnswer } from '../http/response.ts';
import type { DataActions } from '../realtime/monitoring/data-actions.ts';
import { GROUPINGS } from '../rules/denials/groups.ts';
import type { DenialLog } from '../rules/denials/log.ts';
import type { DenialFilter } from '../rules/denials/search.ts';
import { followDenials } from '../rules/denials/stream.ts';
import type { RuleProposals } from '../rules/proposals/proposals.ts';
import { recordDataAction } from './audit.ts';
import {
  parseChoiceParameter,
  parseDenialId,
  parseLimitParameter,
  parseSource,
  readFields,
  requireKnownParameters,
  segmentNamespace,
} from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface DenialServices {
  readonly dataActions: DataActions;
  readonly denials: DenialLog;
  readonly proposals: RuleProposals;
  readonly feeds: LiveFeeds;
}

const DENIALS = '/api/databases/{database}/denials';

/** Returns the routes of the denial log. */
export function denialRoutes(services: DenialServices): readonly ApiRoute[] {
  return [
    { method: 'GET', path: DENIALS, run: (request) => listDenials(services, request), right: 'read' },
    {
      method: 'GET',
      path: `${DENIALS}/groups`,
      run: (request) => groupDenials(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: `${DENIALS}/settings`,
      run: (request) => readDenialSettings(services, request),
      right: 'read',
    },
    {
      method: 'PUT',
      path: `${DENIALS}/settings`,
      run: (request) => changeDenialSettings(services, request),
      right: 'write',
    },
    {
      method: 'GET',
      path: `${DENIALS}/{id}`,
      run: (request) => readDenial(services, request),
      right: 'read',
    },
    {
      method: 'POST',
      path: `${DENIALS}/{id}/evaluate`,
      run: (request) => evaluateDenial(services, request),
      right: 'read',
    },
    {
      method: 'POST',
      path: `${DENIALS}/{id}/proposal`,
      run: (request) => proposeRules(services, request),
      right: 'read',
    },
  ];
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/**
 * `GET …/denials`: lists denied operations, most recent first, without traces. As an event stream, continues
 * with new denials.
 */
async function listDenials(services: DenialServices, request: ApiRequest): Promise<Answer> {
  const { identity, holder, query, wantsEvents } = request;
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(query, [...(wantsEvents ? [] : ['before']), 'limit', ...FILTERS]);
  const before = query.get('before');
  const filters = { limit: parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT), ...parseFilter(query) };
  if (wantsEvents)
    return feedAnswer(
      await followDenials(services.denials, services.feeds, identity, holder, { database, ...filters }),
    );
  const page = await services.denials.search(database, {
    ...filters,
    before: before === null ? Number.MAX_SAFE_INTEGER : parseDenialId(before, 'before'),
  });
  return jsonAnswer(page);
}

const FILTERS = ['path', 'rule', 'uid'];

function parseFilter(query: URLSearchParams): DenialFilter {
  const path = query.get('path');
  const rule = query.get('rule');
  const uid = query.get('uid');
  return {
    ...(path === null ? {} : { path: `/${parsePath(path).join('/')}` }),
    ...(rule === null ? {} : { rule }),
    ...(uid === null ? {} : { uid }),
  };
}

/** The period of groups by default, in ms. */
const DEFAULT_PERIOD_MS = 86_400_000;

/**
 * `GET …/denials/groups`: counts the denials of each rule, or of each user with `by=user`, in the last `period` ms, with
 * their course over time.
 */
async function groupDenials(services: DenialServices, request: ApiRequest): Promise<Answer> {
  const { query } = request;
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(query, ['by', 'period', ...FILTERS]);
  const by = parseChoiceParameter(query, 'by', GROUPINGS);
  const text = query.get('period') ?? String(DEFAULT_PERIOD_MS);
  if (!/^[1-9][0-9]{0,12}$/.test(text))
    throw new RequestError('http/parameter', 'The query parameter period must be a number of milliseconds.');
  return jsonAnswer(await services.denials.group(database, by, Number(text), parseFilter(query)));
}

/** `GET …/denials/<id>`: returns a denial with the trace of its rules. */
async function readDenial(services: DenialServices, request: ApiRequest): Promise<Answer> {
  const { query, segments } = request;
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(query, []);
  return jsonAnswer(await services.denials.find(database, parseDenialId(segments['id'] ?? '', 'id')));
}

/**
 * `POST …/denials/<id>/evaluate` with `{"source"?}`: repeats the rule decision by the rules of that time, or
 * by those in `source`.
 */
async function evaluateDenial(services: DenialServices, request: ApiRequest): Promise<Answer> {
  const { segments } = request;
  const database = segmentNamespace(request, 'database');
  const id = parseDenialId(segments['id'] ?? '', 'id');
  const fields = await readFields(request, ['source']);
  const source = fields.has('source') ? parseSource(fields) : undefined;
  return jsonAnswer(await services.denials.evaluate(database, id, source));
}

/**
 * `POST …/denials/<id>/proposal` with `{"source"}`: proposes a change of these rules that would allow the operation, or
 * says why there is none.
 */
async function proposeRules(services: DenialServices, request: ApiRequest): Promise<Answer> {
  const { segments, holder } = request;
  const database = segmentNamespace(request, 'database');
  const id = parseDenialId(segments['id'] ?? '', 'id');
  const source = parseSource(await readFields(request, ['source']));
  request.keepOpen();
  return jsonAnswer(await services.proposals.propose(holder, database, id, source));
}

/** `GET …/denials/settings`: returns the settings of the denial log. */
async function readDenialSettings(services: DenialServices, request: ApiRequest): Promise<Answer> {
  requireKnownParameters(request.query, []);
  return jsonAnswer(services.denials.readSettings(segmentNamespace(request, 'database')));
}

/**
 * `PUT …/denials/settings` with some of `{"isOn", "keep", "days", "keepValues"}`: changes these settings and
 * returns all of them.
 */
async function changeDenialSettings(services: DenialServices, request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  const fields = await readFields(request, ['isOn', 'keep', 'days', 'keepValues']);
  const settings = await services.denials.changeSettings(database, Object.fromEntries(fields));
  recordDataAction(services.dataActions, request, 'database_settings_changed', { database }, 'denials');
  return jsonAnswer(settings);
}
