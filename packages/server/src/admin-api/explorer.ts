import { RequestError } from '@hearth/core/error/request-error.ts';
import { formatPath, parsePath, ROOT } from '@hearth/core/tree/path.ts';
import { parseBody, readBodyText } from '../http/request-body.ts';
import { type Answer, feedAnswer, jsonAnswer, ndjsonAnswer, wholeText } from '../http/response.ts';
import type { DatabaseService } from '../realtime/database/api.ts';
import { StaleWrite } from '../realtime/database/write.ts';
import { type ExpectedNode, isRemoval, parseUpdate } from '../realtime/database/write-input.ts';
import { MAX_SKIPPED } from '../realtime/explorer/child-outline.ts';
import type { Explorer } from '../realtime/explorer/explorer.ts';
import type { LivePages } from '../realtime/explorer/live-pages.ts';
import type { DataActions } from '../realtime/monitoring/data-actions.ts';
import { actionOfWrites } from '../realtime/monitoring/write-actions.ts';
import { NULL_ETAG } from '../realtime/rest/request.ts';
import { MAX_PREVIEW_UNITS, PREVIEW_UNITS } from '../storage/tree/node-summary.ts';
import {
  findImpersonated,
  findKeyParameter,
  parseChoiceParameter,
  parseLimitParameter,
  parsePathParameter,
  requireKnownParameters,
  segmentNamespace,
} from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface ExplorerServices {
  readonly dataActions: DataActions;
  readonly databases: DatabaseService;
  readonly explorer: Explorer;
  readonly livePages: LivePages;
}

const DATABASE = '/api/databases/{database}';

/** Returns the routes that show and change the data of a database in parts. */
export function explorerRoutes(services: ExplorerServices): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path: `${DATABASE}/children`,
      run: (request) => readChildren(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: `${DATABASE}/count`,
      run: (request) => countChildren(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: `${DATABASE}/outline`,
      run: (request) => outlineChildren(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: `${DATABASE}/size`,
      run: (request) => measureSubtree(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: `${DATABASE}/search`,
      run: (request) => searchSubtree(services, request),
      right: 'read',
    },
    {
      method: 'POST',
      path: `${DATABASE}/changes`,
      run: (request) => writeChanges(services, request),
      right: 'write',
    },
  ];
}

const POSITION_PARAMETERS = ['from', 'after', 'before', 'last'];
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

type ExplorerPosition = Parameters<Explorer['readChildren']>[1]['position'];

/**
 * `GET /api/databases/<database>/children`: returns a page of the children of a node. As an event stream,
 * follows changes of the page. With `as`, returns only what rules let the impersonated user read.
 */
async function readChildren(services: ExplorerServices, request: ApiRequest): Promise<Answer> {
  const { identity, holder, query, wantsEvents } = request;
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(query, ['path', ...POSITION_PARAMETERS, 'skip', 'limit', 'preview', 'as']);
  const page = {
    path: parsePathParameter(query),
    position: parsePosition(query),
    limit: parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT),
    previewUnits: parseLimitParameter(query, PREVIEW_UNITS, MAX_PREVIEW_UNITS, 'preview'),
    skipped: parseSkip(query),
  };
  const impersonated = findImpersonated(request);
  const { livePages } = services;
  if (wantsEvents && page.skipped > 0)
    throw new RequestError('http/parameter', 'The query parameter skip is not for live pages.');
  if (wantsEvents) return feedAnswer(livePages.open(identity, holder, database, page, impersonated));
  const readAuthorizer = impersonated && livePages.authorizerFor(database, impersonated);
  const json = services.explorer.readChildren(database, page, readAuthorizer);
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: wholeText(json),
  };
}

function parsePosition(query: URLSearchParams): ExplorerPosition {
  const given = POSITION_PARAMETERS.filter((name) => query.has(name));
  if (given.length > 1)
    throw new RequestError(
      'http/parameter',
      `The query parameters ${given.join(' and ')} exclude each other: use one of them.`,
    );
  if (parseChoiceParameter(query, 'last', ['false', 'true']) === 'true') return { kind: 'last' };
  for (const kind of ['from', 'after', 'before'] as const) {
    const key = findKeyParameter(query, kind);
    if (key !== undefined) return { kind, key };
  }
  return { kind: 'first' };
}

/** Parses `skip`. Throws `http/parameter` if the page has a fixed end instead of a fixed beginning. */
function parseSkip(query: URLSearchParams): number {
  const skipped = parseLimitParameter(query, 0, MAX_SKIPPED, 'skip');
  if (skipped > 0 && (query.has('before') || query.has('last')))
    throw new RequestError(
      'http/parameter',
      'The query parameter skip excludes before and last: use it with from or after, or alone.',
    );
  return skipped;
}

/** `GET /api/databases/<database>/count`: counts the children of a node, or those before a key. */
async function countChildren(services: ExplorerServices, request: ApiRequest): Promise<Answer> {
  const { query } = request;
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(query, ['path', 'before']);
  const before = findKeyParameter(query, 'before');
  return ndjsonAnswer(services.explorer.count(request.holder, database, parsePathParameter(query), before));
}

/** `GET /api/databases/<database>/outline`: counts the children of a node, and returns keys at even distances. */
async function outlineChildren(services: ExplorerServices, request: ApiRequest): Promise<Answer> {
  const { query } = request;
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(query, ['path']);
  return ndjsonAnswer(services.explorer.outline(request.holder, database, parsePathParameter(query)));
}

/** `GET /api/databases/<database>/size`: measures the data at and below a path. */
async function measureSubtree(services: ExplorerServices, request: ApiRequest): Promise<Answer> {
  const { query } = request;
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(query, ['path']);
  return ndjsonAnswer(services.explorer.measure(request.holder, database, parsePathParameter(query)));
}

/** Longest text to search for, in UTF-16 code units. */
const MAX_TEXT_UNITS = 1_024;
const DEFAULT_FOUND_LIMIT = 100;
const MAX_FOUND_LIMIT = 10_000;

type SearchRequest = Parameters<Explorer['search']>[3];

/**
 * `GET /api/databases/<database>/search`: finds keys and values at and below a path that match a text. With
 * `as`, finds only those that rules let the impersonated user read.
 */
async function searchSubtree(services: ExplorerServices, request: ApiRequest): Promise<Answer> {
  const { query } = request;
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(query, ['path', 'text', 'in', 'match', 'case', 'limit', 'as']);
  const impersonated = findImpersonated(request);
  const searchRequest: SearchRequest = {
    text: parseText(query.get('text')),
    scope: parseChoiceParameter(query, 'in', ['both', 'keys', 'values']),
    match: parseChoiceParameter(query, 'match', ['substring', 'prefix', 'exact']),
    isCaseSensitive: parseChoiceParameter(query, 'case', ['sensitive', 'insensitive']) === 'sensitive',
    limit: parseLimitParameter(query, DEFAULT_FOUND_LIMIT, MAX_FOUND_LIMIT),
  };
  const currentReadAuthorizer =
    impersonated && (() => services.livePages.authorizerFor(database, impersonated));
  return ndjsonAnswer(
    services.explorer.search(
      request.holder,
      database,
      parsePathParameter(query),
      searchRequest,
      currentReadAuthorizer,
    ),
  );
}

function parseText(text: string | null): string {
  if (text === null || text === '' || text.length > MAX_TEXT_UNITS)
    throw new RequestError(
      'http/parameter',
      `The query parameter text must have 1 to ${MAX_TEXT_UNITS} characters.`,
    );
  return text;
}

/** Maximum number of paths in `expected`. One transaction hashes all of them. */
const MAX_EXPECTED_ETAGS = 1_000;

/**
 * `POST /api/databases/<database>/changes` with `{"changes":{path: value},"expected":{path:
 * ETag},"keepsValues":boolean,"isUndoable":boolean,"etagOf":path}`: replaces the values at all paths in `changes` if each
 * path in `expected` has its ETag. Otherwise changes nothing and responds with `write/stale` and the paths whose ETags
 * differ. With `as`, rules decide as if the impersonated user wrote.
 */
async function writeChanges(services: ExplorerServices, request: ApiRequest): Promise<Answer> {
  const { identity, query, body, maxBodyBytes, admin, client } = request;
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(query, ['as']);
  const { changes, expected, keepsValues, isUndoable, etagOf } = parseChangesBody(
    parseBody(await readBodyText(body, maxBodyBytes)),
  );
  try {
    const writes = parseUpdate(ROOT, changes);
    const { commit, change, hash } = await services.databases.write(database, {
      operation: 'PATCH',
      identity: findImpersonated(request) ?? identity,
      writes,
      conditions: { expected: parseExpected(expected), keepsValues },
      ...(isUndoable
        ? { change: { kind: isRemoval(writes) ? 'removal' : 'write', author: admin.name } }
        : {}),
      ...(etagOf === undefined ? {} : { hashOf: parsePath(etagOf) }),
    });
    if (commit !== null)
      services.dataActions.record(identity, client, actionOfWrites(database, writes, change));
    return jsonAnswer({
      ...(isUndoable ? { change } : {}),
      ...(hash === null ? {} : { etag: hash === '' ? NULL_ETAG : hash }),
    });
  } catch (error) {
    if (error instanceof StaleWrite) return staleResponse(error);
    throw error;
  }
}

/** Returns the usual error response and the current ETags of the paths whose precondition failed. */
function staleResponse({ message, code, spec, found }: StaleWrite): Answer {
  const stale = found.map(({ path, hash }) => [`/${formatPath(path)}`, hash === '' ? NULL_ETAG : hash]);
  return jsonAnswer({ error: message, code, stale: Object.fromEntries(stale) }, spec.http);
}

interface ChangesBody {
  readonly changes: unknown;
  readonly expected: unknown;
  readonly keepsValues: boolean;
  readonly isUndoable: boolean;
  readonly etagOf: string | undefined;
}

function parseChangesBody(json: unknown): ChangesBody {
  if (typeof json === 'object' && json !== null && 'changes' in json) {
    const { changes } = json;
    const fields: Readonly<Record<string, unknown>> = { ...json };
    const { expected = {}, keepsValues = false, isUndoable = false, etagOf } = fields;
    if (
      typeof keepsValues === 'boolean' &&
      typeof isUndoable === 'boolean' &&
      (etagOf === undefined || typeof etagOf === 'string')
    )
      return { changes, expected, keepsValues, isUndoable, etagOf };
  }
  throw new RequestError(
    'request/malformed',
    'The body must be {"changes":{path: value},"expected":{path: ETag},"keepsValues":boolean,"isUndoable":boolean,"etagOf":path}.',
  );
}

function parseExpected(json: unknown): readonly ExpectedNode[] {
  const entries = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  if (entries.length > MAX_EXPECTED_ETAGS)
    throw new RequestError('request/malformed', `At most ${MAX_EXPECTED_ETAGS} paths may be in "expected".`);
  return entries.map(([path, hash]: [string, unknown]) => {
    if (typeof hash !== 'string' || hash === '')
      throw new RequestError(
        'request/malformed',
        'Each value in "expected" must be an ETag. The ETag of a missing value is null_etag.',
      );
    return { path: parsePath(path), hash: hash === NULL_ETAG ? '' : hash };
  });
}
