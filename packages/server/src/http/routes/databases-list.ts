import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters, parseLimitParameter } from '../explorer-parameters.ts';
import { parseNamespace } from '../namespace.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** `GET /api/databases`: the names of the databases that exist, in order. */
export async function listDatabases({ backend, identity, query }: ApiRequest): Promise<Answer> {
  mustKnowParameters(query, ['after', 'limit']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const after = query.get('after');
  const start = after === null ? '' : parseNamespace(after);
  // One more than asked for tells whether there are more.
  const names = await backend.administration.names(identity, start, limit + 1);
  const databases = names.slice(0, limit).map((name) => ({ name }));
  const next = names.length > limit ? databases.at(-1)?.name : undefined;
  return jsonAnswer({ databases, next: next ?? null });
}
