import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { instanceJson } from '../instance-json.ts';
import { parseNamespace } from '../namespace.ts';

/** `POST …/instances?databaseId=<name>`: makes a database; with `validateOnly=true` it only tells whether it could. */
export async function createInstance(request: ApiRequest): Promise<Answer> {
  const { backend, identity, query } = request;
  const name = parseNamespace(query.get('databaseId') ?? '');
  const isTried = query.get('validateOnly') === 'true';
  const isFree = backend.databaseOwners?.find(name) === undefined;
  // Before it is claimed: what is in a database that is no project's does not become the first one's who asks for it.
  if (!isFree || (await backend.administration.exists(identity, name))) throw new Refusal('namespace/taken');
  if (!isTried && !(await create(request, name))) throw new Refusal('namespace/taken');
  return jsonAnswer(instanceJson(request, name));
}

/** Claims the database for the project where that matters, and makes it. Was there none of this name? */
async function create({ backend, identity, segments }: ApiRequest, name: string): Promise<boolean> {
  const isClaimed = await backend.databaseOwners?.claim(segments['project'] ?? '', name);
  return isClaimed !== false && backend.administration.create(identity, name);
}
