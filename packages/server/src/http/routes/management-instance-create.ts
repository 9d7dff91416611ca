import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { instanceJson } from '../instance-json.ts';
import { parseNamespace } from '../namespace.ts';

/** `POST …/instances?databaseId=<name>`: makes a database; with `validateOnly=true` it only tells whether it could. */
export async function createInstance(request: ApiRequest): Promise<Answer> {
  const { backend, identity, query } = request;
  const name = parseNamespace(query.get('databaseId') ?? '');
  const isNew =
    query.get('validateOnly') === 'true'
      ? !(await backend.administration.exists(identity, name))
      : await backend.administration.create(identity, name);
  if (!isNew) throw new Refusal('namespace/taken');
  return jsonAnswer(instanceJson(request, name));
}
