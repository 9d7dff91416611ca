import { RequestError } from '@hearth/core/error/request-error.ts';
import { type Answer, jsonAnswer } from '../http/response.ts';
import { ChangeConflict, type Changes } from '../realtime/changes/changes.ts';
import type { DataActions } from '../realtime/monitoring/data-actions.ts';
import { recordDataAction } from './audit.ts';
import {
  findImpersonated,
  parseLimitParameter,
  parsePathParameter,
  requireKnownParameters,
  segmentNamespace,
} from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface ChangeServices {
  readonly dataActions: DataActions;
  readonly changes: Changes;
}

const CHANGES = '/api/databases/{database}/changes';

/** Returns the routes of the changes that can be undone. */
export function changeRoutes(services: ChangeServices): readonly ApiRoute[] {
  return [
    { method: 'GET', path: CHANGES, run: (request) => listChanges(services, request), right: 'read' },
    {
      method: 'GET',
      path: '/api/databases/{database}/last-write',
      run: (request) => readLastWrite(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: `${CHANGES}/{id}/later`,
      run: (request) => readLater(services, request),
      right: 'read',
    },
    {
      method: 'POST',
      path: `${CHANGES}/{id}/undo`,
      run: (request) => undoChange(services, request),
      right: 'write',
    },
    {
      method: 'DELETE',
      path: `${CHANGES}/{id}`,
      run: (request) => forgetChange(services, request),
      right: 'write',
    },
  ];
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** `GET /api/databases/<database>/changes`: lists the changes made in the console, latest first. */
async function listChanges(services: ChangeServices, request: ApiRequest): Promise<Answer> {
  const { query } = request;
  requireKnownParameters(query, ['before', 'limit']);
  const text = query.get('before');
  const before = text === null ? undefined : parseChangeId(text);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const page = services.changes.list(segmentNamespace(request, 'database'), before, limit);
  const changes = page.changes.map((change) => ({
    ...change,
    isOwn: change.author === request.admin.name,
  }));
  return jsonAnswer({ ...page, changes });
}

/**
 * `GET /api/databases/<database>/last-write?path=`: returns the last write at, above or below a path, and how many commits
 * the log keeps.
 */
async function readLastWrite(services: ChangeServices, request: ApiRequest): Promise<Answer> {
  const { query } = request;
  requireKnownParameters(query, ['path']);
  const database = segmentNamespace(request, 'database');
  const lastWrite = await services.changes.lastWrite(database, parsePathParameter(query));
  return jsonAnswer({ ...lastWrite, kept: services.changes.logLimits });
}

/** `GET …/changes/<id>/later`: returns the writes since a change that its undo would overwrite. */
async function readLater(services: ChangeServices, request: ApiRequest): Promise<Answer> {
  requireKnownParameters(request.query, []);
  const { database, id } = parseReference(request);
  return jsonAnswer(await services.changes.later(database, id));
}

/**
 * `POST …/changes/<id>/undo`: undoes a change. If that would overwrite later writes, responds with 409 and these
 * writes; `confirmed=<seq>` then overwrites the writes up to that commit. With `as`, rules decide as if the
 * impersonated user wrote.
 */
async function undoChange(services: ChangeServices, request: ApiRequest): Promise<Answer> {
  const { query, identity, admin } = request;
  requireKnownParameters(query, ['confirmed', 'as']);
  const { database, id } = parseReference(request);
  const text = query.get('confirmed');
  if (text !== null && !/^[0-9]{1,15}$/.test(text))
    throw new RequestError('http/parameter', 'The query parameter confirmed must be the number of a commit.');
  try {
    const change = await services.changes.undo(database, id, {
      identity: findImpersonated(request) ?? identity,
      author: admin.name,
      confirmed: text === null ? null : Number(text),
    });
    if (change !== null)
      recordDataAction(services.dataActions, request, 'change_undone', { database, change, ofChange: id });
    return jsonAnswer({ change });
  } catch (error) {
    if (!(error instanceof ChangeConflict)) throw error;
    const { message, code, spec, later } = error;
    return jsonAnswer({ error: message, code, later }, spec.http);
  }
}

/** `DELETE …/changes/<id>`: removes the data that is kept for the undo of a change. */
async function forgetChange(services: ChangeServices, request: ApiRequest): Promise<Answer> {
  requireKnownParameters(request.query, []);
  const { database, id } = parseReference(request);
  await services.changes.forget(database, id);
  recordDataAction(services.dataActions, request, 'change_forgotten', { database, ofChange: id });
  return jsonAnswer({ status: 'ok' });
}

function parseReference(request: ApiRequest): { readonly database: string; readonly id: number } {
  return { database: segmentNamespace(request, 'database'), id: parseChangeId(request.segments['id'] ?? '') };
}

/** Parses the id of a change: a positive whole number. */
function parseChangeId(text: string): number {
  const id = /^[0-9]{1,11}$/.test(text) ? Number(text) : 0;
  if (id > 0) return id;
  throw new RequestError('http/parameter', `${JSON.stringify(text)} is not the id of a change, such as 7.`);
}
