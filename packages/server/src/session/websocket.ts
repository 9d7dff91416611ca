import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROTOCOL_VERSION, resetMessage } from '@hearth/core/wire/down.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import type { WebSocketEndpoint } from '../http/websocket-endpoint.ts';
import type { Logger } from '../ops/logger.ts';
import { ClientSocket, type SocketOwner } from './client-socket.ts';
import type { SessionDirectory } from './session-directory.ts';
import { versionRefusal } from './version-refusal.ts';
import { type ConnectionSettings, WebSocketConnection } from './websocket-connection.ts';

/** Sessions of another transport that may go on over a WebSocket. */
export interface UpgradableSessions {
  /** Offers a session of the database another connection; `false` when there is none that could take it. */
  offerUpgrade(namespace: string, sessionId: string, connection: WebSocketConnection): boolean;
}

export interface WebSocketOptions {
  readonly settings: ConnectionSettings;
  /** A connection of which nothing was heard for one to two of these intervals is dead. */
  readonly aliveIntervalMs: number;
  readonly sessions: SessionDirectory;
  /** Address of a client that a proxy speaks for; `null` for others, which costs no memory. */
  readonly forwardedAddressOf: (request: IncomingMessage) => string | null;
  readonly upgradable: UpgradableSessions;
  readonly logger: Logger;
}

/** A client's segment is 16,384 UTF-16 code units, but nothing keeps it from sending a message in one frame. */
const MAX_BYTES_PER_UNIT = 3;

/** A client may answer a close; after this the socket is dropped. */
const CLOSE_WAIT_MS = 1_000;

/** Serves the WebSocket protocol: makes a session of every socket, and tells the dead from the silent. */
export class WebSocketService implements SocketOwner, WebSocketEndpoint {
  readonly #options: WebSocketOptions;
  readonly #server: ReturnType<typeof createServer>;
  readonly #sockets = new Set<ClientSocket>();
  readonly #timer: NodeJS.Timeout;
  #onEmpty: () => void = () => undefined;

  constructor(options: WebSocketOptions) {
    this.#options = options;
    this.#server = createServer(options.settings.maxMessageUnits * MAX_BYTES_PER_UNIT);
    this.#timer = setInterval(() => this.#checkAlive(), options.aliveIntervalMs);
    this.#timer.unref();
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, namespace: string): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.owner = this;
      this.#sockets.add(webSocket);
      const query = new URL(request.url ?? '/', 'ws://localhost').searchParams;
      if (query.get('v') !== PROTOCOL_VERSION) {
        this.#dismiss(webSocket, versionRefusal());
        return;
      }
      try {
        this.#open(webSocket, socket, request, namespace, query);
      } catch (error) {
        this.#options.logger.error({ err: error }, 'a connection could not be served');
        webSocket.terminate();
      }
    });
  }

  noteClosed(webSocket: ClientSocket): void {
    this.#sockets.delete(webSocket);
    if (this.#sockets.size === 0) this.#onEmpty();
  }

  /** Ends every session, runs what their clients left to be written, and closes their sockets. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#options.sessions.endAll();
    for (const webSocket of this.#sockets) dropLater(webSocket);
    if (this.#sockets.size > 0)
      await new Promise<void>((resolve) => {
        this.#onEmpty = resolve;
      });
    this.#server.close();
  }

  /** Tells a client why it is not served, and lets it go. */
  #dismiss(webSocket: ClientSocket, message: string): void {
    webSocket.send(message);
    webSocket.close();
    dropLater(webSocket);
  }

  #open(
    webSocket: ClientSocket,
    socket: Duplex,
    request: IncomingMessage,
    namespace: string,
    query: URLSearchParams,
  ): void {
    const { sessions, upgradable, settings, forwardedAddressOf } = this.#options;
    const { host = 'localhost', 'user-agent': userAgent } = request.headers;
    const connection = new WebSocketConnection(webSocket, socket, settings);
    const sessionId = query.get('s');
    if (sessionId === null) {
      const lastSessionId = query.get('ls');
      const address = forwardedAddressOf(request);
      const session = sessions.open(connection, { namespace, host, lastSessionId, address, userAgent });
      connection.attach(session);
    } else if (!upgradable.offerUpgrade(namespace, sessionId, connection)) {
      // The session that was to go on here is not there.
      this.#dismiss(webSocket, resetMessage(host));
      return;
    }
    webSocket.connection = connection;
  }

  #checkAlive(): void {
    for (const { connection } of this.#sockets) connection?.checkAlive();
  }
}

function createServer(maxPayload: number) {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // Clients ask for none; what somebody else offers is not spoken here.
    handleProtocols: () => false,
    maxPayload,
    WebSocket: ClientSocket,
  });
}

/** Drops a socket whose peer does not finish the closing handshake. */
function dropLater(webSocket: WebSocket): void {
  setTimeout(() => webSocket.terminate(), CLOSE_WAIT_MS).unref();
}
