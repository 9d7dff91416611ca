import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters } from '../explorer-parameters.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `GET …/rules/recording`. */
export async function readRecording(request: ApiRequest): Promise<Answer> {
  mustKnowParameters(request.query, []);
  return jsonAnswer(request.backend.recorder.readSettings(segmentNamespace(request, 'database')));
}
