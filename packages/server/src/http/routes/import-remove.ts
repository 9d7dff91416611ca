import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { namedImport } from '../import-request.ts';

/** `DELETE …/imports/<id>`: gives an import up, or forgets one that is over. What a merge has done stays. */
export async function removeImport(request: ApiRequest): Promise<Answer> {
  const { database, id } = namedImport(request);
  await request.backend.imports.remove(database, id);
  return jsonAnswer({ status: 'ok' });
}
