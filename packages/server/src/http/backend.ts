import type { DatabaseService } from '../database/database-service.ts';
import type { WebSocketEndpoint } from './websocket-endpoint.ts';

/** What the HTTP server passes requests on to. */
export interface HttpBackend {
  readonly databases: DatabaseService;
  readonly webSockets: WebSocketEndpoint;
}
