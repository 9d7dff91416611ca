import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';

/** `GET /api/projects/<project>/service-accounts`: with the ids of their keys. */
export async function listServiceAccounts({ backend, segments }: ApiRequest): Promise<Answer> {
  return jsonAnswer({ serviceAccounts: backend.projects.serviceAccounts(segments['project'] ?? '') });
}
