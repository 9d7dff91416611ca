import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters } from '../explorer-parameters.ts';

/** `GET /api/projects/<project>/members`: `{"members":[{"uid","email","name","role","addedAtMs","hasSecondFactor"},…]}`. */
export async function listMembers({ backend, query, segments }: ApiRequest): Promise<Answer> {
  mustKnowParameters(query, []);
  return jsonAnswer({ members: backend.members.list(segments['project'] ?? '') });
}
