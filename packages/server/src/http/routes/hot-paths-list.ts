import { HALF_LIFE_MS } from '../../activity/hot-paths.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters, parseLimitParameter } from '../explorer-parameters.ts';
import { segmentNamespace } from '../segment-namespace.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;

/** `GET …/hot-paths`: the paths that were read and written most often lately. */
export async function listHotPaths(request: ApiRequest): Promise<Answer> {
  const { backend, query } = request;
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(query, ['limit']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const { hotReads, hotWrites } = backend.activity.find(database);
  return jsonAnswer({
    reads: hotReads.top(limit),
    writes: hotWrites.top(limit),
    halfLifeMs: HALF_LIFE_MS,
  });
}
