import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { parseConnectionId } from '../connection-id.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `DELETE …/connections/<id>`: ends a connection. Its client may come back. */
export async function endConnection(request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  request.backend.connections.end(database, parseConnectionId(request.segments['id'] ?? '', 'id'));
  return jsonAnswer({});
}
