import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { namedImport } from '../import-request.ts';

/** `GET …/imports/<id>`: where an import stands, also if it has failed. */
export async function readImport(request: ApiRequest): Promise<Answer> {
  const { database, id } = namedImport(request);
  return jsonAnswer(await request.backend.imports.read(database, id));
}
