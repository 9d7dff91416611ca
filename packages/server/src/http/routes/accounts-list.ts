import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters, parseChoiceParameter, parseLimitParameter } from '../explorer-parameters.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_TEXT_LENGTH = 256;

/**
 * `GET /api/projects/<project>/accounts`: `{"accounts","next","looked"}`, in the order of user ids or addresses, those that begin
 * with a prefix, or those that have a text somewhere.
 */
export async function listAccounts({ backend, segments, query }: ApiRequest): Promise<Answer> {
  mustKnowParameters(query, ['by', 'prefix', 'text', 'after', 'limit']);
  const by = parseChoiceParameter(query, 'by', ['uid', 'email']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const [prefix, text, after] = ['prefix', 'text', 'after'].map((name) => findText(query, name));
  const project = segments['project'] ?? '';
  const range = { prefix: prefix ?? '', after: after ?? null, limit };
  if (text === undefined) return jsonAnswer(backend.accountDirectory.list(project, by, range));
  if (prefix !== undefined || by !== 'uid')
    throw new Refusal('http/parameter', 'The query parameter text goes with after and limit alone.');
  return jsonAnswer(await backend.accountDirectory.search(project, text, range));
}

function findText(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name) ?? undefined;
  if (text === '' || (text?.length ?? 0) > MAX_TEXT_LENGTH)
    throw new Refusal(
      'http/parameter',
      `The query parameter ${name} must have 1 to ${MAX_TEXT_LENGTH} characters.`,
    );
  return text;
}
