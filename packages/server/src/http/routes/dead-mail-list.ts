import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters, parseLimitParameter } from '../explorer-parameters.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** `GET /api/projects/<project>/mail/dead`: `{"mails":[{"id","kind","to","queuedAtMs","diedAtMs","attempts","reason"},…]}`. */
export async function listDeadMails({ backend, segments, query }: ApiRequest): Promise<Answer> {
  mustKnowParameters(query, ['limit']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const mails = backend.mails.listDead(segments['project'] ?? '', limit);
  return jsonAnswer({ mails: mails.map(({ project: _project, ...mail }) => mail) });
}
