import { WebSocket } from 'ws';
import type { WebSocketConnection } from './websocket-connection.ts';

/** Who has to know that a socket is closed. */
export interface SocketOwner {
  noteClosed(socket: ClientSocket): void;
}

/**
 * A WebSocket that passes its events on itself. Listeners would cost an idle connection more memory than all that is kept
 * for its client.
 */
export class ClientSocket extends WebSocket {
  owner: SocketOwner | undefined;
  /** Absent while the socket is being opened, and for a client that is only told to go away. */
  connection: WebSocketConnection | undefined;

  /** What the library tells of this socket. An error is followed by a close, and needs nothing of its own. */
  override emit(event: string | symbol, ...details: unknown[]): boolean {
    switch (event) {
      case 'message': {
        const [data, isBinary] = details;
        if (Buffer.isBuffer(data)) this.connection?.receive(data, isBinary === true);
        return true;
      }
      case 'pong':
        this.connection?.noteAlive();
        return true;
      case 'close':
        this.connection?.noteClosed();
        this.owner?.noteClosed(this);
        return true;
      default:
        return true;
    }
  }
}
