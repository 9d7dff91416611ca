import { RequestError } from '@hearth/core/error/request-error.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { parseBody, readBodyText, streamBody } from '../http/request-body.ts';
import { type Answer, jsonAnswer } from '../http/response.ts';
import {
  IMPORT_MODES,
  ImportConflict,
  type ImportRequest,
  type ImportService,
  type ImportState,
  WRITING_MODES,
} from '../realtime/import/import.ts';
import type { DataActions } from '../realtime/monitoring/data-actions.ts';
import { recordDataAction } from './audit.ts';
import { segmentNamespace } from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface ImportServices {
  readonly dataActions: DataActions;
  readonly imports: ImportService;
}

const IMPORT = '/api/databases/{database}/imports/{id}';

/** Returns the routes of imports. */
export function importRoutes(services: ImportServices): readonly ApiRoute[] {
  return [
    { method: 'PUT', path: IMPORT, run: (request) => createImport(services, request), right: 'write' },
    { method: 'PATCH', path: IMPORT, run: (request) => appendToImport(services, request), right: 'write' },
    {
      method: 'POST',
      path: `${IMPORT}/finish`,
      run: (request) => finishImport(services, request),
      right: 'write',
    },
    { method: 'GET', path: IMPORT, run: (request) => readImport(services, request), right: 'read' },
    { method: 'DELETE', path: IMPORT, run: (request) => removeImport(services, request), right: 'write' },
  ];
}

/**
 * `PUT …/imports/<id>` with `{"path": "/rooms", "mode": "replace", "isUndoable": true}`: starts an import, or finds the
 * existing one.
 */
async function createImport(services: ImportServices, request: ApiRequest): Promise<Answer> {
  const { database, id } = parseImportReference(request);
  const json = parseBody(await readBodyText(request.body, request.maxBodyBytes));
  return answerImport(services.imports.create(database, id, parseImport(json, request.admin.name)));
}

function parseImport(json: unknown, author: string): ImportRequest {
  const fields: {
    readonly path?: unknown;
    readonly mode?: unknown;
    readonly previewOf?: unknown;
    readonly isUndoable?: unknown;
  } = typeof json === 'object' && json !== null ? json : {};
  const { path, isUndoable = false } = fields;
  const mode = IMPORT_MODES.find((known) => known === fields.mode);
  const previewOf = WRITING_MODES.find((known) => known === fields.previewOf);
  if (fields.previewOf !== undefined && (mode !== 'compare' || previewOf === undefined))
    throw new RequestError(
      'request/malformed',
      `"previewOf" is only for the mode "compare", and must be one of ${WRITING_MODES.join(', ')}.`,
    );
  if (typeof path !== 'string' || mode === undefined || typeof isUndoable !== 'boolean')
    throw new RequestError(
      'request/malformed',
      `An import needs a "path", and a "mode" that is one of ${IMPORT_MODES.join(', ')}; "isUndoable" must be a boolean.`,
    );
  return {
    path: parsePath(path),
    mode,
    ...(previewOf === undefined ? {} : { previewOf }),
    ...(isUndoable ? { undoableBy: author } : {}),
  };
}

/**
 * `PATCH …/imports/<id>?offset=N`: appends the body to the source at byte N, which must be the current
 * position of the import. With `final=true`, the source ends with this body.
 */
async function appendToImport(services: ImportServices, request: ApiRequest): Promise<Answer> {
  const { database, id } = parseImportReference(request);
  const { query, body } = request;
  const offset = query.get('offset') ?? '';
  if (!/^[0-9]{1,15}$/.test(offset))
    throw new RequestError(
      'http/parameter',
      'The query parameter offset must be the byte of the source at which the body starts.',
    );
  // After it has sent its body, the client waits for work that can take long.
  body.stream.once('end', request.keepOpen);
  const isLast = query.get('final') === 'true';
  const source = { offset: Number(offset), chunks: streamBody(body), isLast };
  return answerImport(
    recordEnd(services, request, { database, id }, () => services.imports.append(database, id, source)),
  );
}

/**
 * `POST …/imports/<id>/finish`: declares the source complete. Responds when the import is done or has failed.
 * The client may repeat this request.
 */
function finishImport(services: ImportServices, request: ApiRequest): Promise<Answer> {
  const { database, id } = parseImportReference(request);
  request.keepOpen();
  return answerImport(
    recordEnd(services, request, { database, id }, () => services.imports.finish(database, id)),
  );
}

/**
 * Runs a step of an import, and records the import if this step ends it. A client may repeat a step of an import that has
 * ended.
 */
async function recordEnd(
  services: ImportServices,
  request: ApiRequest,
  { database, id }: ImportReference,
  step: () => Promise<ImportState>,
): Promise<ImportState> {
  const { status } = await services.imports.read(database, id);
  const state = await step();
  if (status === 'open' && state.status !== 'open')
    recordImport(services, request, database, state, state.status === 'done' ? state.mode : 'failed');
  return state;
}

/** Records the effect of an import. An import without an effect, such as a comparison, is not recorded. */
function recordImport(
  { dataActions }: ImportServices,
  request: ApiRequest,
  database: string,
  { path, mode, offset, counts, change }: ImportState,
  detail: ImportState['mode'] | 'failed' | 'canceled',
): void {
  const { children } = counts;
  const isPartial = detail === 'failed' || detail === 'canceled';
  if (mode === 'compare' || (isPartial && (mode === 'replace' || children === undefined || children === 0)))
    return;
  const subject = {
    database,
    path,
    bytes: offset,
    ...(children === undefined ? {} : { count: children }),
    ...(change === undefined ? {} : { change }),
  };
  recordDataAction(dataActions, request, 'data_imported', subject, detail);
}

/** `GET …/imports/<id>`: returns the state of an import, even if it has failed. */
async function readImport(services: ImportServices, request: ApiRequest): Promise<Answer> {
  const { database, id } = parseImportReference(request);
  return jsonAnswer(await services.imports.read(database, id));
}

/**
 * `DELETE …/imports/<id>`: cancels an import, or removes the state of a finished one. The writes of a merge
 * remain.
 */
async function removeImport(services: ImportServices, request: ApiRequest): Promise<Answer> {
  const { database, id } = parseImportReference(request);
  const state = await services.imports.read(database, id);
  await services.imports.remove(database, id);
  if (state.status === 'open') recordImport(services, request, database, state, 'canceled');
  return jsonAnswer({ status: 'ok' });
}

/** The import that a request names. */
export interface ImportReference {
  readonly database: string;
  readonly id: string;
}

/** Parses the database and the id in the path `/api/databases/<database>/imports/<id>`. */
function parseImportReference(request: ApiRequest): ImportReference {
  const id = request.segments['id'] ?? '';
  if (!/^[a-z0-9-]{8,64}$/.test(id))
    throw new RequestError(
      'request/malformed',
      'An import id must have 8 to 64 lowercase letters, digits and hyphens.',
    );
  return { database: segmentNamespace(request, 'database'), id };
}

/**
 * Responds with the state of an import: 200, or 400 with an `error` if the import has failed. If the request
 * conflicts with the state, responds with the state and 409. Closes the connection after an error, because
 * the server does not read the rest of the body.
 */
async function answerImport(change: Promise<ImportState>): Promise<Answer> {
  try {
    const state = await change;
    return state.status === 'failed' ? withConnectionClose(jsonAnswer(state, 400)) : jsonAnswer(state);
  } catch (cause) {
    if (!(cause instanceof ImportConflict)) throw cause;
    return withConnectionClose(jsonAnswer({ ...cause.state, error: cause.message }, cause.spec.http));
  }
}

function withConnectionClose(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}
