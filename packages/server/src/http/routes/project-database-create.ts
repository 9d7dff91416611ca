import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { createDatabase } from '../create-database.ts';
import { parseNamespace } from '../namespace.ts';
import { readFields } from '../rules-request.ts';

/** `POST /api/projects/<project>/databases` with `{"name"}`: makes an empty database; answers `{"name"}`. */
export async function createProjectDatabase(request: ApiRequest): Promise<Answer> {
  const fields = await readFields(request, ['name']);
  const name = fields.get('name');
  if (typeof name !== 'string')
    throw new Refusal('request/malformed', '"name" must be the name of a database.');
  const namespace = parseNamespace(name);
  await createDatabase(request, namespace);
  return jsonAnswer({ name: namespace });
}
