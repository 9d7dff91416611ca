import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** What takes over the sockets of clients that ask for `/.ws`. */
export interface WebSocketEndpoint {
  /**
   * Completes the handshake of one client of the database `namespace` and serves it. `head` is what followed the
   * request already. The socket belongs to the endpoint from here on.
   */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, namespace: string): void;
  /** Ends all connections; resolves when what their end changes is durable. */
  close(): Promise<void>;
}
