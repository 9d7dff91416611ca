import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `GET /namespaces/<database>/rulesets/<id>`: one ruleset. */
export async function readRuleset(request: ApiRequest): Promise<Answer> {
  const { backend, identity, segments } = request;
  const database = segmentNamespace(request, 'database');
  const ruleset = await backend.administration.findRuleset(identity, database, segments['id'] ?? '');
  if (ruleset === undefined) throw new Refusal('http/not-found');
  return jsonAnswer(ruleset);
}
