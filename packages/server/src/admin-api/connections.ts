import type { AuditTrail } from '../audit/trail.ts';
import type { DatabaseOwners } from '../auth/projects/database-owners.ts';
import { type Answer, jsonAnswer } from '../http/response.ts';
import type { Connections } from '../realtime/monitoring/connections.ts';
import { recordAdminAction } from './audit.ts';
import {
  parseConnectionId,
  parseLimitParameter,
  requireKnownParameters,
  segmentNamespace,
} from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface ConnectionServices {
  readonly audit: AuditTrail;
  readonly connections: Connections;
  /** `null` in development mode, where no project owns a database. */
  readonly databaseOwners: DatabaseOwners | null;
}

const CONNECTIONS = '/api/databases/{database}/connections';

/** Returns the routes of open connections. */
export function connectionRoutes(services: ConnectionServices): readonly ApiRoute[] {
  return [
    { method: 'GET', path: CONNECTIONS, run: (request) => listConnections(services, request), right: 'read' },
    {
      method: 'GET',
      path: `${CONNECTIONS}/{id}`,
      run: (request) => readConnection(services, request),
      right: 'read',
    },
    {
      method: 'DELETE',
      path: `${CONNECTIONS}/{id}`,
      run: (request) => endConnection(services, request),
      right: 'write',
    },
  ];
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

/** `GET …/connections`: lists the connections of a database, or those of the user `uid`, oldest first. */
async function listConnections(services: ConnectionServices, request: ApiRequest): Promise<Answer> {
  const { query } = request;
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(query, ['after', 'limit', 'uid']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const text = query.get('after');
  const after = text === null ? 0 : parseConnectionId(text, 'after');
  const uid = query.get('uid');
  const { connections } = services;
  return jsonAnswer(
    uid === null
      ? connections.list(database, after, limit)
      : connections.listOfUser(database, uid, after, limit),
  );
}

/** `GET …/connections/<id>`: returns one connection and its listens. */
async function readConnection(services: ConnectionServices, request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  const id = parseConnectionId(request.segments['id'] ?? '', 'id');
  const { connection, listens } = services.connections.read(database, id);
  return jsonAnswer({ ...connection, listening: listens });
}

/** `DELETE …/connections/<id>`: closes a connection. Its client may reconnect. */
async function endConnection(services: ConnectionServices, request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  const id = parseConnectionId(request.segments['id'] ?? '', 'id');
  const { connections, databaseOwners } = services;
  connections.end(database, id);
  recordAdminAction(
    services.audit,
    request,
    databaseOwners?.find(database) ?? null,
    'connection_ended',
    `${database}, ${id}`,
  );
  return jsonAnswer({});
}
