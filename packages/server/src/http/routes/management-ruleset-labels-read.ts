import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `GET /namespaces/<database>/ruleset_labels`: which rulesets are the stable one and the canary; `{}` for none. */
export async function readRulesetLabels(request: ApiRequest): Promise<Answer> {
  const { backend, identity } = request;
  const labels = await backend.administration.rulesetLabels(identity, segmentNamespace(request, 'database'));
  return jsonAnswer(labels ?? {});
}
