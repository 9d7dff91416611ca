import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Answer } from '../answer.ts';
import type { ApiRequest } from '../api-request.ts';
import {
  mustKnowParameters,
  parseChoiceParameter,
  parseLimitParameter,
  parsePathParameter,
} from '../explorer-parameters.ts';
import { ndjsonAnswer } from '../ndjson-answer.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** Longest text that is looked for, in UTF-16 code units. */
const MAX_TEXT_UNITS = 1_024;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;

/** `GET /api/databases/<database>/search`: keys and values at and below a path that match a text. */
export async function searchSubtree(request: ApiRequest): Promise<Answer> {
  const { backend, query } = request;
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(query, ['path', 'text', 'in', 'match', 'case', 'limit']);
  const lines = backend.explorer.search(database, parsePathParameter(query), {
    text: parseText(query.get('text')),
    scope: parseChoiceParameter(query, 'in', ['both', 'keys', 'values']),
    match: parseChoiceParameter(query, 'match', ['substring', 'prefix', 'exact']),
    isCaseSensitive: parseChoiceParameter(query, 'case', ['sensitive', 'insensitive']) === 'sensitive',
    limit: parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT),
  });
  return ndjsonAnswer(lines);
}

function parseText(text: string | null): string {
  if (text === null || text === '' || text.length > MAX_TEXT_UNITS)
    throw new Refusal(
      'http/parameter',
      `The query parameter text is what to look for: 1 to ${MAX_TEXT_UNITS} characters.`,
    );
  return text;
}
