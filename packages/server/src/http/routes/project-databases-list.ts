import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { listDatabasesOf } from '../list-databases-of.ts';

/** `GET /api/projects/<project>/databases`: `{"databases":[{"name"},…],"next"}`, in order; in development mode all. */
export async function listProjectDatabases(request: ApiRequest): Promise<Answer> {
  return jsonAnswer(await listDatabasesOf(request, request.segments['project'] ?? null));
}
