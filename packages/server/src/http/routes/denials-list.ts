import { parsePath } from '@hearth/core/tree/path.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { parseDenialId } from '../denial-request.ts';
import { mustKnowParameters, parseLimitParameter } from '../explorer-parameters.ts';
import { segmentNamespace } from '../segment-namespace.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** `GET …/denials`: what was denied, latest first, without traces. */
export async function listDenials(request: ApiRequest): Promise<Answer> {
  const { backend, query } = request;
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(query, ['before', 'limit', 'path', 'rule']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const before = query.get('before');
  const path = query.get('path');
  const rule = query.get('rule');
  const page = await backend.denials.search(database, {
    limit,
    before: before === null ? Number.MAX_SAFE_INTEGER : parseDenialId(before, 'before'),
    ...(path === null ? {} : { path: `/${parsePath(path).join('/')}` }),
    ...(rule === null ? {} : { rule }),
  });
  return jsonAnswer(page);
}
