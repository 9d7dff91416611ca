import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters } from '../explorer-parameters.ts';

/** `GET /api/server/activity`: how the process does. */
export async function readServerActivity({ backend, query }: ApiRequest): Promise<Answer> {
  mustKnowParameters(query, []);
  return jsonAnswer(backend.serverActivity.read());
}
