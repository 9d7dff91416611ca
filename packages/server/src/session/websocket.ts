import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { handshakeMessage, PROTOCOL_VERSION, resetMessage, shutdownMessage } from '@hearth/core/wire/down.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Committer } from '../commit/committer.ts';
import { Frame } from '../commit/frame.ts';
import type { Database } from '../database/database.ts';
import type { WebSocketEndpoint } from '../http/websocket-endpoint.ts';
import type { CredentialVerifier } from '../identity/verifier.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logger.ts';
import { ClientSocket, type SocketOwner } from './client-socket.ts';
import { Session, type UnfinishedSessions } from './session.ts';
import {
  type ConnectionLimits,
  type ConnectionSettings,
  connectionSettings,
  WebSocketConnection,
} from './websocket-connection.ts';

export interface WebSocketOptions {
  readonly limits: ConnectionLimits;
  /** A connection of which nothing was heard for one to two of these intervals is dead. */
  readonly aliveIntervalMs: number;
  readonly committer: Committer;
  readonly verifier: CredentialVerifier;
  readonly unfinished: UnfinishedSessions;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly openDatabase: (name: string) => Database;
  readonly createSessionId: () => string;
}

/** A client's segment is 16,384 UTF-16 code units, but nothing keeps it from sending a message in one frame. */
const MAX_BYTES_PER_UNIT = 3;

/** A client may answer a close; after this the socket is dropped. */
const CLOSE_WAIT_MS = 1_000;

/** Serves the WebSocket protocol: makes a session of every socket, and tells the dead from the silent. */
export class WebSocketService implements SocketOwner, WebSocketEndpoint {
  readonly #options: WebSocketOptions;
  readonly #settings: ConnectionSettings;
  readonly #server: ReturnType<typeof createServer>;
  readonly #sessions = new Map<string, Session>();
  readonly #sockets = new Set<ClientSocket>();
  readonly #timer: NodeJS.Timeout;
  #onEmpty: () => void = () => undefined;

  constructor(options: WebSocketOptions) {
    this.#options = options;
    this.#settings = connectionSettings(options.limits);
    this.#server = createServer(options.limits.maxMessageUnits * MAX_BYTES_PER_UNIT);
    this.#timer = setInterval(() => this.#checkAlive(), options.aliveIntervalMs);
    this.#timer.unref();
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, namespace: string): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.owner = this;
      this.#sockets.add(webSocket);
      const query = new URL(request.url ?? '/', 'ws://localhost').searchParams;
      const host = request.headers.host ?? 'localhost';
      if (query.get('v') !== PROTOCOL_VERSION) {
        const reason = `This server speaks version ${PROTOCOL_VERSION} of the protocol: add v=5.`;
        this.#dismiss(webSocket, shutdownMessage(reason));
        return;
      }
      // The session of another transport is to go on here; there is none.
      if (query.has('s')) {
        this.#dismiss(webSocket, resetMessage(host));
        return;
      }
      try {
        this.#open(webSocket, socket, namespace, host, query.get('ls'));
      } catch (error) {
        this.#options.logger.error({ err: error }, 'a connection could not be served');
        webSocket.terminate();
      }
    });
  }

  noteClosed(webSocket: ClientSocket): void {
    const session = webSocket.connection?.session;
    this.#sockets.delete(webSocket);
    // Until it is over a client that comes back waits for it.
    if (session !== undefined) void session.over.then(() => this.#sessions.delete(session.id));
    if (this.#sockets.size === 0) this.#onEmpty();
  }

  /** Ends every session, runs what their clients left to be written, and closes their sockets. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const sessions = [...this.#sessions.values()];
    for (const session of sessions) session.end();
    await Promise.all(sessions.map((session) => session.over));
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
    namespace: string,
    host: string,
    lastSessionId: string | null,
  ): void {
    const { committer, verifier, unfinished, clock } = this.#options;
    // A client that comes back before its old connection was missed: what that one left to be written comes first.
    const last = lastSessionId === null ? undefined : this.#findSession(namespace, lastSessionId);
    last?.end();
    const id = this.#options.createSessionId();
    const connection = new WebSocketConnection(webSocket, socket, this.#settings);
    const database = this.#options.openDatabase(namespace);
    const session = new Session({
      id,
      database,
      connection,
      committer,
      verifier,
      unfinished,
      ...(last === undefined ? {} : { startAfter: last.over }),
    });
    this.#sessions.set(id, session);
    connection.attach(session);
    webSocket.connection = connection;
    connection.deliver([new Frame(handshakeMessage(clock.nowMs(), host, id))]);
  }

  #findSession(namespace: string, id: string): Session | undefined {
    const session = this.#sessions.get(id);
    return session?.database.name === namespace ? session : undefined;
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
