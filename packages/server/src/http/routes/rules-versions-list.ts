import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters, parseLimitParameter } from '../explorer-parameters.ts';
import { parseVersionIdText } from '../rules-request.ts';
import { segmentNamespace } from '../segment-namespace.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** `GET …/rules/versions`: what was published, newest first. */
export async function listRulesVersions(request: ApiRequest): Promise<Answer> {
  const { backend, identity, query } = request;
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(query, ['before', 'limit']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const text = query.get('before');
  const before = text === null ? null : parseVersionIdText(text, 'before');
  // One more than asked for tells whether there are more.
  const found = await backend.rulesHistory.list(identity, database, before, limit + 1);
  const versions = found.slice(0, limit);
  const next = found.length > limit ? versions.at(-1)?.id : undefined;
  return jsonAnswer({ versions, next: next ?? null });
}
