import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { handshakeMessage, PROTOCOL_VERSION, shutdownMessage } from '@hearth/core/wire/down.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Committer } from '../commit/committer.ts';
import { Frame } from '../commit/frame.ts';
import type { Database } from '../database/database.ts';
import type { WebSocketEndpoint } from '../http/websocket-endpoint.ts';
import type { CredentialVerifier } from '../identity/verifier.ts';
import type { Clock } from '../ops/clock.ts';
import { Session } from './session.ts';
import { type ConnectionLimits, WebSocketConnection } from './websocket-connection.ts';

export interface WebSocketOptions {
  readonly limits: ConnectionLimits;
  /** A connection of which nothing was heard for one to two of these intervals is dead. */
  readonly aliveIntervalMs: number;
  readonly committer: Committer;
  readonly verifier: CredentialVerifier;
  readonly clock: Clock;
  readonly openDatabase: (name: string) => Database;
  readonly createSessionId: () => string;
}

/** A client's segment is 16,384 UTF-16 code units, but nothing keeps it from sending a message in one frame. */
const MAX_BYTES_PER_UNIT = 3;

/** A client may answer a close; after this the socket is dropped. */
const CLOSE_WAIT_MS = 1_000;

/** Serves the WebSocket protocol: makes a session of every socket, and tells the dead from the silent. */
export class WebSocketService implements WebSocketEndpoint {
  readonly #options: WebSocketOptions;
  readonly #server: WebSocketServer;
  readonly #sessions = new Map<string, Session>();
  readonly #connections = new Set<WebSocketConnection>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: WebSocketOptions) {
    this.#options = options;
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: options.limits.maxMessageUnits * MAX_BYTES_PER_UNIT,
    });
    this.#timer = setInterval(() => this.#checkAlive(), options.aliveIntervalMs);
    this.#timer.unref();
  }

  /** Number of open connections. */
  get connectionCount(): number {
    return this.#connections.size;
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, namespace: string): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const query = new URL(request.url ?? '/', 'ws://localhost').searchParams;
      if (query.get('v') !== PROTOCOL_VERSION) {
        webSocket.send(
          shutdownMessage(`This server speaks version ${PROTOCOL_VERSION} of the protocol: add v=5.`),
        );
        webSocket.close();
        return;
      }
      this.#open(webSocket, socket, namespace, request.headers.host ?? 'localhost', query.get('ls'));
    });
  }

  /** Ends every session, runs what their clients left to be written, and closes their sockets. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const session of this.#sessions.values()) session.end();
    await this.#options.committer.drain();
    const deadline = setTimeout(() => {
      for (const connection of this.#connections) connection.terminate();
    }, CLOSE_WAIT_MS);
    while (this.#connections.size > 0) await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
    clearTimeout(deadline);
    this.#server.close();
  }

  readonly #onEmpty: (() => void)[] = [];

  #open(
    webSocket: WebSocket,
    socket: Duplex,
    namespace: string,
    host: string,
    lastSessionId: string | null,
  ): void {
    const { committer, verifier, clock, limits } = this.#options;
    // A client that comes back before its old connection was missed: what that one left to be written comes first.
    if (lastSessionId !== null) this.#findSession(namespace, lastSessionId)?.end();
    const id = this.#options.createSessionId();
    const connection = new WebSocketConnection(webSocket, socket, limits);
    const database = this.#options.openDatabase(namespace);
    const session = new Session({ id, database, connection, committer, verifier });
    this.#sessions.set(id, session);
    this.#connections.add(connection);
    webSocket.on('close', () => {
      this.#sessions.delete(id);
      this.#connections.delete(connection);
      if (this.#connections.size === 0) for (const resolve of this.#onEmpty.splice(0)) resolve();
    });
    connection.attach(session);
    connection.deliver([new Frame(handshakeMessage(clock.nowMs(), host, id))]);
  }

  #findSession(namespace: string, id: string): Session | undefined {
    const session = this.#sessions.get(id);
    return session?.database.name === namespace ? session : undefined;
  }

  #checkAlive(): void {
    for (const connection of this.#connections) connection.checkAlive();
  }
}
