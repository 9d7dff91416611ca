import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROTOCOL_VERSION, resetMessage } from '@hearth/core/wire/server-messages.ts';
import { WebSocket, WebSocketServer } from 'ws';
import type { Logger } from '../../platform/logger.ts';
import { versionError } from './connection.ts';
import type { SessionRegistry } from './session-registry.ts';
import { type ConnectionSettings, WebSocketConnection } from './websocket-connection.ts';

/** The object to notify when a socket is closed. */
export interface SocketOwner {
  markClosed(socket: ClientSocket): void;
}

/**
 * A WebSocket that handles its events in `emit`. Listeners would cost an idle connection more memory than the
 * rest of its state.
 */
class ClientSocket extends WebSocket {
  owner: SocketOwner | undefined;
  /** Absent while the socket is being opened, and for a client that is rejected. */
  connection: WebSocketConnection | undefined;

  /** Receives the events of the library. An error is followed by a close event and needs no handling. */
  override emit(event: string | symbol, ...details: unknown[]): boolean {
    switch (event) {
      case 'message': {
        const [data, isBinary] = details;
        if (Buffer.isBuffer(data)) this.connection?.receive(data, isBinary === true);
        return true;
      }
      case 'pong':
        this.connection?.onAlive();
        return true;
      case 'close':
        this.connection?.markClosed();
        this.owner?.markClosed(this);
        return true;
      default:
        return true;
    }
  }
}

/** Sessions of another transport that may move to a WebSocket. */
export interface UpgradableSessions {
  /**
   * Offers another connection to a session of the database. Returns false if there is no session that can move.
   */
  offerUpgrade(namespace: string, sessionId: string, connection: WebSocketConnection): boolean;
}

export interface WebSocketOptions {
  readonly settings: ConnectionSettings;
  /** A connection that receives nothing for one to two of these intervals is considered dead. */
  readonly aliveIntervalMs: number;
  readonly sessions: SessionRegistry;
  /** Returns the address that a proxy reports for a client; `null` for direct connections, which saves memory. */
  readonly forwardedAddressOf: (request: IncomingMessage) => string | null;
  /** Returns the network of the client that makes a request. */
  readonly networkOf: (request: IncomingMessage) => string;
  readonly upgradable: UpgradableSessions;
  readonly logger: Logger;
}

/** Longest UTF-8 form of a UTF-16 code unit. A client may send a whole message in one frame instead of segments. */
const MAX_BYTES_PER_UNIT = 3;

/** Time in which a client may answer a close. After that, the socket is dropped. */
const CLOSE_WAIT_MS = 1_000;

/** Serves the WebSocket protocol: creates a session for every socket, and closes dead connections. */
export class WebSocketService implements SocketOwner {
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
        this.#dismiss(webSocket, versionError());
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

  markClosed(webSocket: ClientSocket): void {
    this.#sockets.delete(webSocket);
    if (this.#sockets.size === 0) this.#onEmpty();
  }

  /** Ends every session, executes the queued writes of their clients, and closes their sockets. */
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

  /** Sends the reason for the rejection to a client, and closes its socket. */
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
    const { sessions, upgradable, settings, forwardedAddressOf, networkOf } = this.#options;
    const { host = 'localhost', 'user-agent': userAgent } = request.headers;
    const connection = new WebSocketConnection(webSocket, socket, settings, networkOf(request));
    const sessionId = query.get('s');
    if (sessionId === null) {
      const lastSessionId = query.get('ls');
      const address = forwardedAddressOf(request);
      const session = sessions.open(connection, {
        namespace,
        host,
        lastSessionId,
        address,
        userAgent,
        appCheckToken: findAppCheckToken(request, query),
      });
      connection.attach(session);
    } else if (!upgradable.offerUpgrade(namespace, sessionId, connection)) {
      // The session that should move to this socket does not exist.
      this.#dismiss(webSocket, resetMessage(host));
      return;
    }
    webSocket.connection = connection;
  }

  #checkAlive(): void {
    for (const { connection } of this.#sockets) connection?.checkAlive();
  }
}

/** Returns the App Check token with which a client connects. Programs send a header, and browsers a parameter. */
function findAppCheckToken({ headers }: IncomingMessage, query: URLSearchParams): string | null {
  const header = headers['x-firebase-appcheck'];
  return typeof header === 'string' ? header : query.get('ac');
}

function createServer(maxPayload: number) {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // Official clients request no subprotocol, and the server supports none.
    handleProtocols: () => false,
    maxPayload,
    WebSocket: ClientSocket,
  });
}

/** Drops a socket whose client does not finish the closing handshake. */
function dropLater(webSocket: WebSocket): void {
  setTimeout(() => webSocket.terminate(), CLOSE_WAIT_MS).unref();
}
