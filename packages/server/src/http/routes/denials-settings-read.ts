import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters } from '../explorer-parameters.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `GET …/denials/settings`. */
export async function readDenialSettings(request: ApiRequest): Promise<Answer> {
  mustKnowParameters(request.query, []);
  return jsonAnswer(request.backend.denials.readSettings(segmentNamespace(request, 'database')));
}
