import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';

/** `GET /api/projects/<project>/keys`: `{"keys":[{"apiKey","createdAtMs"},…]}`. */
export async function listProjectKeys({ backend, segments }: ApiRequest): Promise<Answer> {
  return jsonAnswer({ keys: backend.projects.keys(segments['project'] ?? '') });
}
