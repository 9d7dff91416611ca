import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters } from '../explorer-parameters.ts';
import { parseVersionIdText } from '../rules-request.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `GET …/rules/versions/<id>`: one version with its source, and what it changed. */
export async function readRulesVersion(request: ApiRequest): Promise<Answer> {
  const { backend, identity, query, segments } = request;
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(query, []);
  const id = parseVersionIdText(segments['id'] ?? '', 'versions/<id>');
  return jsonAnswer(await backend.rulesHistory.find(identity, database, id));
}
