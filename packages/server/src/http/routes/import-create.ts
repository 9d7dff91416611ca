import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import type { ImportRequest } from '../../database/import/import-service.ts';
import { IMPORT_MODES } from '../../database/import/import-state.ts';
import type { Answer } from '../answer.ts';
import type { ApiRequest } from '../api-request.ts';
import { answerImport, namedImport } from '../import-request.ts';
import { parseBody, readBodyText } from '../request-body.ts';

/** `PUT …/imports/<id>` with `{"path": "/rooms", "mode": "replace"}`: begins an import, or finds the one that there is. */
export async function createImport(request: ApiRequest): Promise<Answer> {
  const { database, id } = namedImport(request);
  const json = parseBody(await readBodyText(request.body, request.maxBodyBytes));
  return answerImport(request.backend.imports.create(database, id, parseImport(json)));
}

function parseImport(json: unknown): ImportRequest {
  const fields: { readonly path?: unknown; readonly mode?: unknown } =
    typeof json === 'object' && json !== null ? json : {};
  const { path } = fields;
  const mode = IMPORT_MODES.find((known) => known === fields.mode);
  if (typeof path !== 'string' || mode === undefined)
    throw new Refusal(
      'request/malformed',
      `An import has a "path" and a "mode", which is one of ${IMPORT_MODES.join(', ')}.`,
    );
  return { path: parsePath(path), mode };
}
