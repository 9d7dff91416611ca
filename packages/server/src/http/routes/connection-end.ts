import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { parseConnectionId } from '../connection-id.ts';
import { segmentNamespace } from '../segment-namespace.ts';
import { tellAdminAct } from '../tell-admin-act.ts';

/** `DELETE …/connections/<id>`: ends a connection. Its client may come back. */
export async function endConnection(request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  const id = parseConnectionId(request.segments['id'] ?? '', 'id');
  const { connections, databaseOwners } = request.backend;
  connections.end(database, id);
  tellAdminAct(request, databaseOwners?.find(database) ?? null, 'connection_ended', `${database}, ${id}`);
  return jsonAnswer({});
}
