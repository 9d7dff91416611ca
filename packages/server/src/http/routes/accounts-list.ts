import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters, parseChoiceParameter, parseLimitParameter } from '../explorer-parameters.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_TEXT_LENGTH = 256;

const ORDERS = ['uid', 'email', 'created', 'seen', 'any'] as const;

/**
 * `GET /api/projects/<project>/accounts`: `{"accounts","next"}`, in the order of user ids or addresses, perhaps those that begin
 * with a prefix; the latest first; or some of those that have anything that begins with a prefix.
 */
export async function listAccounts({ backend, segments, query }: ApiRequest): Promise<Answer> {
  mustKnowParameters(query, ['by', 'prefix', 'after', 'limit']);
  const by = parseChoiceParameter(query, 'by', ORDERS);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const prefix = findText(query, 'prefix');
  const after = findText(query, 'after');
  const project = segments['project'] ?? '';
  const directory = backend.accountDirectory;
  switch (by) {
    case 'uid':
    case 'email':
      return jsonAnswer(directory.list(project, by, { prefix: prefix ?? '', after: after ?? null, limit }));
    case 'created':
    case 'seen':
      if (prefix !== undefined) throw parametersApart(by, 'prefix');
      return jsonAnswer(directory.listLatest(project, by, { after: after ?? null, limit }));
    case 'any':
      if (prefix === undefined)
        throw new Refusal('http/parameter', 'With by=any, the query parameter prefix says what is sought.');
      if (after !== undefined) throw parametersApart(by, 'after');
      return jsonAnswer(directory.findByStart(project, prefix, limit));
    default:
      return by satisfies never;
  }
}

function parametersApart(by: string, name: string): Refusal {
  return new Refusal('http/parameter', `The query parameter ${name} does not go with by=${by}.`);
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
