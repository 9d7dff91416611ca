import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Answer } from '../answer.ts';
import type { ApiRequest } from '../api-request.ts';
import { mustKnowParameters, parseLimitParameter } from '../explorer-parameters.ts';
import { ndjsonAnswer } from '../ndjson-answer.ts';

const MAX_TEXT_LENGTH = 256;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** `GET /api/projects/<project>/accounts/search`: looks through all accounts for a text, in lines of JSON as they come. */
export async function searchAccounts({ backend, identity, segments, query }: ApiRequest): Promise<Answer> {
  mustKnowParameters(query, ['text', 'limit']);
  const text = query.get('text') ?? '';
  if (text === '' || text.length > MAX_TEXT_LENGTH)
    throw new Refusal(
      'http/parameter',
      `The query parameter text is what to look for: 1 to ${MAX_TEXT_LENGTH} characters.`,
    );
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const projectId = segments['project'] ?? '';
  return ndjsonAnswer(backend.accountSearches.open(identity, { projectId, text, limit }));
}
