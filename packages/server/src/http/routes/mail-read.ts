import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';

/** `GET /api/projects/<project>/mail`: `{"waiting","oldestAtMs","dead","lastFailure":{"atMs","project","reason"}}`. */
export async function readMail({ backend, segments }: ApiRequest): Promise<Answer> {
  return jsonAnswer(backend.mails.status(segments['project'] ?? ''));
}
