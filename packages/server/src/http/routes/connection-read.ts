import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { parseConnectionId } from '../connection-id.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `GET …/connections/<id>`: one connection, with what it listens to. */
export async function readConnection(request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  const id = parseConnectionId(request.segments['id'] ?? '', 'id');
  const { connection, listens } = request.backend.connections.read(database, id);
  return jsonAnswer({ ...connection, listening: listens });
}
