import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `GET /namespaces/<database>/rulesets`: `{"rulesets":[{"id","createdAt","source"},…]}`, oldest first. */
export async function listRulesets(request: ApiRequest): Promise<Answer> {
  const { backend, identity } = request;
  return jsonAnswer({
    rulesets: await backend.administration.rulesets(identity, segmentNamespace(request, 'database')),
  });
}
