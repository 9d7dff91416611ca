import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters, parseLimitParameter } from '../explorer-parameters.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** `GET /api/projects`: `{"projects":[{"id"},…],"next"}`, in order. */
export async function listProjects({ backend, query }: ApiRequest): Promise<Answer> {
  mustKnowParameters(query, ['after', 'limit']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const ids = backend.projects.list(query.get('after') ?? undefined, limit);
  const next = ids.length < limit ? null : (ids.at(-1) ?? null);
  return jsonAnswer({ projects: ids.map((id) => ({ id })), next });
}
