import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { listDatabasesOf } from '../list-databases-of.ts';

/** `GET /api/databases`: the names of the databases of the project of whoever asks, or of all that exist, in order. */
export async function listDatabases(request: ApiRequest): Promise<Answer> {
  return jsonAnswer(await listDatabasesOf(request, request.admin.projectId));
}
