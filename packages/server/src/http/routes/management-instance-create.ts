import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { createDatabase, mustBeAvailable } from '../create-database.ts';
import { instanceJson } from '../instance-json.ts';
import { parseNamespace } from '../namespace.ts';

/** `POST …/instances?databaseId=<name>`: makes a database; with `validateOnly=true` it only tells whether it could. */
export async function createInstance(request: ApiRequest): Promise<Answer> {
  const { admin, query } = request;
  // Programs with the role for databases do this by the official tools; of members, those who may do so elsewhere.
  if (admin.grant?.kind === 'member' && !admin.roles.includes('project.owner'))
    throw new Refusal('auth/role');
  const name = parseNamespace(query.get('databaseId') ?? '');
  if (query.get('validateOnly') === 'true') await mustBeAvailable(request, name);
  else await createDatabase(request, name);
  return jsonAnswer(instanceJson(request, name));
}
