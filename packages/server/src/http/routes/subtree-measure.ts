import type { Answer } from '../answer.ts';
import type { ApiRequest } from '../api-request.ts';
import { mustKnowParameters, parsePathParameter } from '../explorer-parameters.ts';
import { ndjsonAnswer } from '../ndjson-answer.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `GET /api/databases/<database>/size`: how much there is at and below a path. */
export async function measureSubtree(request: ApiRequest): Promise<Answer> {
  const { backend, query } = request;
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(query, ['path']);
  return ndjsonAnswer(backend.explorer.measure(database, parsePathParameter(query)));
}
