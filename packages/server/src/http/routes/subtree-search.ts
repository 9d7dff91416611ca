import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Explorer } from '../../database/explorer.ts';
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
import { findStandIn } from '../stand-in.ts';

/** Longest text that is looked for, in UTF-16 code units. */
const MAX_TEXT_UNITS = 1_024;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;

type SearchRequest = Parameters<Explorer['search']>[2];

/**
 * `GET /api/databases/<database>/search`: keys and values at and below a path that match a text; with `as`, of those that rules
 * let somebody else read.
 */
export async function searchSubtree(request: ApiRequest): Promise<Answer> {
  const { backend, query } = request;
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(query, ['path', 'text', 'in', 'match', 'case', 'limit', 'as']);
  const standIn = findStandIn(request);
  const wanted: SearchRequest = {
    text: parseText(query.get('text')),
    scope: parseChoiceParameter(query, 'in', ['both', 'keys', 'values']),
    match: parseChoiceParameter(query, 'match', ['substring', 'prefix', 'exact']),
    isCaseSensitive: parseChoiceParameter(query, 'case', ['sensitive', 'insensitive']) === 'sensitive',
    limit: parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT),
  };
  const judgeOfNow = standIn && (() => backend.livePages.judgeOf(database, standIn));
  return ndjsonAnswer(backend.explorer.search(database, parsePathParameter(query), wanted, judgeOfNow));
}

function parseText(text: string | null): string {
  if (text === null || text === '' || text.length > MAX_TEXT_UNITS)
    throw new Refusal(
      'http/parameter',
      `The query parameter text is what to look for: 1 to ${MAX_TEXT_UNITS} characters.`,
    );
  return text;
}
