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
} from '../realtime/import/import.ts';
import { segmentNamespace } from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface ImportServices {
  readonly imports: ImportService;
}

const IMPORT = '/api/databases/{database}/imports/{id}';

/** Returns the routes of imports. */
export function importRoutes(services: ImportServices): readonly ApiRoute[] {
  return [
    { method: 'PUT', path: IMPORT, run: (request) => createImport(services, request), right: 'change' },
    { method: 'PATCH', path: IMPORT, run: (request) => appendToImport(services, request), right: 'change' },
    {
      method: 'POST',
      path: `${IMPORT}/finish`,
      run: (request) => finishImport(services, request),
      right: 'change',
    },
    { method: 'GET', path: IMPORT, run: (request) => readImport(services, request), right: 'look' },
    { method: 'DELETE', path: IMPORT, run: (request) => removeImport(services, request), right: 'change' },
  ];
}

/** `PUT …/imports/<id>` with `{"path": "/rooms", "mode": "replace"}`: begins an import, or finds the one that there is. */
async function createImport(services: ImportServices, request: ApiRequest): Promise<Answer> {
  const { database, id } = namedImport(request);
  const json = parseBody(await readBodyText(request.body, request.maxBodyBytes));
  return answerImport(services.imports.create(database, id, parseImport(json)));
}

function parseImport(json: unknown): ImportRequest {
  const fields: { readonly path?: unknown; readonly mode?: unknown } =
    typeof json === 'object' && json !== null ? json : {};
  const { path } = fields;
  const mode = IMPORT_MODES.find((known) => known === fields.mode);
  if (typeof path !== 'string' || mode === undefined)
    throw new RequestError(
      'request/malformed',
      `An import has a "path" and a "mode", which is one of ${IMPORT_MODES.join(', ')}.`,
    );
  return { path: parsePath(path), mode };
}

/**
 * `PATCH …/imports/<id>?offset=N`: takes in the bytes of the source from N on, which must be where the import stands. With
 * `final=true` the source ends with them.
 */
async function appendToImport(services: ImportServices, request: ApiRequest): Promise<Answer> {
  const { database, id } = namedImport(request);
  const { query, body } = request;
  const offset = query.get('offset') ?? '';
  if (!/^[0-9]{1,15}$/.test(offset))
    throw new RequestError(
      'http/parameter',
      'The query parameter offset says at which byte of the source the body starts.',
    );
  // From then on the client waits for what may be long work.
  body.stream.once('end', request.keepOpen);
  const isLast = query.get('final') === 'true';
  return answerImport(
    services.imports.append(database, id, { offset: Number(offset), chunks: streamBody(body), isLast }),
  );
}

/** `POST …/imports/<id>/finish`: the source is complete; answers once the import is done or has failed. May be sent again. */
function finishImport(services: ImportServices, request: ApiRequest): Promise<Answer> {
  const { database, id } = namedImport(request);
  request.keepOpen();
  return answerImport(services.imports.finish(database, id));
}

/** `GET …/imports/<id>`: where an import stands, also if it has failed. */
async function readImport(services: ImportServices, request: ApiRequest): Promise<Answer> {
  const { database, id } = namedImport(request);
  return jsonAnswer(await services.imports.read(database, id));
}

/** `DELETE …/imports/<id>`: gives an import up, or forgets one that is over. What a merge has done stays. */
async function removeImport(services: ImportServices, request: ApiRequest): Promise<Answer> {
  const { database, id } = namedImport(request);
  await services.imports.remove(database, id);
  return jsonAnswer({ status: 'ok' });
}

/** The import that a request is about. */
export interface NamedImport {
  readonly database: string;
  readonly id: string;
}

/** Reads the database and the id in the address `/api/databases/<database>/imports/<id>`. */
function namedImport(request: ApiRequest): NamedImport {
  const id = request.segments['id'] ?? '';
  if (!/^[a-z0-9-]{8,64}$/.test(id))
    throw new RequestError(
      'request/malformed',
      'The id of an import has 8 to 64 lower-case letters, digits and hyphens.',
    );
  return { database: segmentNamespace(request, 'database'), id };
}

/**
 * Answers with where an import stands: 200, or 400 with an `error` if it has failed. A request that does not go with where it
 * stands gets that as well, with 409. The connection is closed after an error, because nobody reads what more the client sends.
 */
async function answerImport(change: Promise<ImportState>): Promise<Answer> {
  try {
    const state = await change;
    return state.status === 'failed' ? closing(jsonAnswer(state, 400)) : jsonAnswer(state);
  } catch (cause) {
    if (!(cause instanceof ImportConflict)) throw cause;
    return closing(jsonAnswer({ ...cause.state, error: cause.message }, cause.spec.http));
  }
}

function closing(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}
