import { WebSocket } from 'ws';
import type { WebSocketConnection } from './websocket-connection.ts';

/**
 * A WebSocket that knows what is made of it. So handlers of its events serve all sockets alike, and an idle connection
 * keeps none of its own.
 */
export class ClientSocket extends WebSocket {
  /** Absent while the socket is being opened, and for a client that is only told to go away. */
  connection: WebSocketConnection | undefined;
}
