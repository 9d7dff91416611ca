import { parsePath } from '@hearth/core/tree/path.ts';
import { followDenials } from '../../denials/follow-denials.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { parseDenialId } from '../denial-request.ts';
import { mustKnowParameters, parseLimitParameter } from '../explorer-parameters.ts';
import { feedAnswer } from '../feed-answer.ts';
import { segmentNamespace } from '../segment-namespace.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** `GET …/denials`: what was denied, latest first, without traces; as a stream of events it goes on with what is denied. */
export async function listDenials(request: ApiRequest): Promise<Answer> {
  const { backend, identity, query, wantsEvents } = request;
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(query, [...(wantsEvents ? [] : ['before']), 'limit', 'path', 'rule']);
  const before = query.get('before');
  const path = query.get('path');
  const rule = query.get('rule');
  const sought = {
    limit: parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT),
    ...(path === null ? {} : { path: `/${parsePath(path).join('/')}` }),
    ...(rule === null ? {} : { rule }),
  };
  if (wantsEvents)
    return feedAnswer(await followDenials(backend.denials, backend.feeds, identity, { database, ...sought }));
  const page = await backend.denials.search(database, {
    ...sought,
    before: before === null ? Number.MAX_SAFE_INTEGER : parseDenialId(before, 'before'),
  });
  return jsonAnswer(page);
}
