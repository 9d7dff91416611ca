import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { parseDenialId } from '../denial-request.ts';
import { mustKnowParameters } from '../explorer-parameters.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `GET …/denials/<id>`: a denial with the trace of its rules. */
export async function readDenial(request: ApiRequest): Promise<Answer> {
  const { backend, query, segments } = request;
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(query, []);
  return jsonAnswer(await backend.denials.find(database, parseDenialId(segments['id'] ?? '', 'id')));
}
