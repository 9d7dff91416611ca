import type { Answer } from '../answer.ts';
import type { ApiRequest } from '../api-request.ts';
import { findKeyParameter, mustKnowParameters, parsePathParameter } from '../explorer-parameters.ts';
import { ndjsonAnswer } from '../ndjson-answer.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `GET /api/databases/<database>/count`: how many children a node has, or has before a key. */
export async function countChildren(request: ApiRequest): Promise<Answer> {
  const { backend, query } = request;
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(query, ['path', 'before']);
  const before = findKeyParameter(query, 'before');
  return ndjsonAnswer(backend.explorer.count(database, parsePathParameter(query), before));
}
