import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Server as NetServer, Socket } from 'node:net';
import { setTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@hearth/core/error/assert.ts';
import { REQUEST_ERRORS } from '@hearth/core/error/request-error.ts';
import type { Logger } from '../platform/logger.ts';
import type { ResourcePool } from '../platform/resource-pool.ts';
import type { Area, AreaPolicy, Site } from './area.ts';
import type { Certificate } from './certificate.ts';
import { ConnectionGuard } from './connections.ts';
import { answerClientError, PUBLIC_HEADERS, reject, sendError } from './errors.ts';
import { findRequestRejection } from './guards.ts';
import { bindPort, closeServer } from './listening.ts';
import { isParsingStopped, MAX_PIPELINED, Pipeline } from './pipeline.ts';
import { drainBody } from './request-body.ts';
import { asksForEventStream } from './request-target.ts';
import { answerUpgrade, isWebSocketUpgrade, type UpgradeOptions } from './websocket-upgrade.ts';

export interface HttpOptions extends UpgradeOptions {
  readonly logger: Logger;
  /** The policies of all areas, in order of priority. The last one owns every request. */
  readonly policies: readonly AreaPolicy[];
  /** If set, the port accepts only TLS. */
  readonly certificate: Certificate | null;
  /** Limits the connections of all peers together. */
  readonly connections: ResourcePool;
  /** Receives each connection, and returns whether it takes it. If absent, the server serves all of them. */
  readonly takeConnection?: (socket: Socket) => boolean;
}

/** Timeouts after which the server disconnects a slow or idle client, and the interval at which it checks them. */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 3_600_000;
const INACTIVITY_MS = 120_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const CONNECTIONS_CHECKING_MS = 5_000;
/** Limit for the URL and the headers together. A URL may contain a token. */
const MAX_HEADER_BYTES = 65_536;
const MAX_HEADERS = 100;
/** Maximum time for requests in progress, once the site has ended its connections. */
const DRAIN_LIMIT_MS = 10_000;
/** Time for which a server that is suspended still answers requests on connections that it has accepted. */
const ARRIVAL_MS = 25;
const SERVER_OPTIONS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  connectionsCheckingInterval: CONNECTIONS_CHECKING_MS,
  maxHeaderSize: MAX_HEADER_BYTES,
  shouldUpgradeCallback: isWebSocketUpgrade,
};

const TOO_MANY_TOGETHER =
  'Too many requests have arrived together. Wait for a response before you send more.';

/** Two years, as the preload lists of browsers require. */
const ALWAYS_TLS = 'max-age=63072000';

type State =
  | { readonly kind: 'starting' }
  | { readonly kind: 'serving'; readonly site: Site; readonly areas: ReadonlyMap<AreaPolicy, Area> }
  /** `isSuspending`: the port stays open, and another program answers the connections that follow. */
  | { readonly kind: 'draining'; readonly isSuspending: boolean };

/**
 * The HTTP server, which has one port for everything. Passes each request to the area that owns it. `listen` comes before
 * `serve`, so that the start of the process fails early if the port is in use. Before `serve` and after `close`, no request
 * reaches an area.
 */
export class HttpServer {
  readonly #options: HttpOptions;
  readonly #pipeline: Pipeline;
  readonly #connections: ConnectionGuard;
  readonly #server: Server | TlsServer;
  /** Connections that the port has admitted and `takeConnection` has taken. */
  readonly #taken = new WeakSet<Socket>();
  /** Connections that `takeConnection` has not taken. */
  readonly #served = new Set<Socket>();
  /** Further sockets that accept connections for the server. */
  #acceptors: readonly NetServer[] = [];
  #state: State = { kind: 'starting' };

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#pipeline = new Pipeline(options.transport);
    this.#connections = new ConnectionGuard(options.connections, options.transport.networkOfPeer);
    this.#server = this.#createServer();
  }

  /** Binds the port and returns it. Rejects with the system's error if it cannot be bound. */
  async listen(host: string, port: number): Promise<number> {
    const bound = await bindPort(this.#server, host, port);
    this.#acceptors = bound.acceptors;
    return bound.port;
  }

  /** Uses another certificate for new connections. */
  replaceCertificate(certificate: Certificate): void {
    if ('setSecureContext' in this.#server) this.#server.setSecureContext(certificate);
  }

  /** Serves a connection that was taken before, or was accepted elsewhere and needs no TLS. */
  adopt(socket: Socket): void {
    if (!this.#taken.has(socket)) this.#connections.admit(socket);
    const event = this.#options.certificate === null ? 'connection' : 'secureConnection';
    if (!socket.destroyed) this.#server.emit(event, socket);
  }

  /** Starts to serve a site. */
  serve(site: Site): void {
    const areas = new Map(site.areas.map((area) => [area.policy, area]));
    this.#state = { kind: 'serving', site, areas };
  }

  /**
   * Stops accepting requests, ends the site's connections, and then waits until the requests in progress are answered, at
   * most for `DRAIN_LIMIT_MS`. Afterwards, the caller may close the resources that the site uses.
   */
  async close(): Promise<void> {
    const before = this.#state;
    this.#state = { kind: 'draining', isSuspending: false };
    this.#pipeline.endConnections();
    const closed = Promise.all([this.#server, ...this.#acceptors].map(closeServer));
    if (before.kind === 'serving') await before.site.close();
    const timer = setTimeout(() => this.#server.closeAllConnections(), DRAIN_LIMIT_MS);
    await closed;
    clearTimeout(timer);
    this.#connections[Symbol.dispose]();
  }

  /**
   * Like `close`, but the port stays open, and `serve` may follow. `takeConnection` must take the connections that are accepted
   * in the meantime. Requests in progress have `limitMs`. A later one gets no response, so that its client sends it again.
   */
  async suspend(limitMs: number): Promise<void> {
    const before = this.#state;
    if (before.kind !== 'serving') return;
    this.#pipeline.endConnections();
    // The first request of a connection that has just been accepted is on its way.
    await sleep(ARRIVAL_MS);
    this.#state = { kind: 'draining', isSuspending: true };
    const timer = setTimeout(() => {
      for (const socket of this.#served) socket.destroy();
    }, limitMs);
    await before.site.close();
    const closed = Array.from(this.#served, (socket) => {
      if (!this.#pipeline.isBusy(socket)) socket.destroySoon();
      return new Promise((resolve) => socket.once('close', resolve));
    });
    await Promise.all(closed);
    clearTimeout(timer);
    this.#pipeline.keepConnections();
    this.#state = { kind: 'starting' };
  }

  #createServer(): Server | TlsServer {
    const { certificate } = this.#options;
    const answer: RequestListener = (request, response) => this.#answer(request, response);
    const server =
      certificate === null
        ? createServer(SERVER_OPTIONS, answer)
        : createTlsServer({ ...SERVER_OPTIONS, ...certificate }, answer);
    const { takeConnection } = this.#options;
    if (takeConnection === undefined)
      server.on('connection', (socket: Socket) => this.#connections.admit(socket));
    else
      this.#takeConnections(server, certificate === null ? 'connection' : 'secureConnection', takeConnection);
    server.setTimeout(INACTIVITY_MS);
    server.maxHeadersCount = MAX_HEADERS;
    server.on('clientError', (error, socket) => {
      if (isParsingStopped(error)) socket.pause();
      else answerClientError(error, socket);
    });
    server.on('upgrade', (request, socket, head) => {
      const upgrades = this.#state.kind === 'serving' ? this.#state.site.upgrades : undefined;
      answerUpgrade(request, socket, head, upgrades, this.#options);
    });
    return server;
  }

  /**
   * Offers each connection to `take` before the HTTP parser gets it, because the parser reads from a connection
   * immediately.
   */
  #takeConnections(
    server: Server | TlsServer,
    event: 'connection' | 'secureConnection',
    take: (socket: Socket) => boolean,
  ): void {
    const parsers = server.listeners(event);
    server.removeAllListeners(event);
    server.on('connection', (socket: Socket) => this.#connections.admit(socket));
    server.on(event, (socket: Socket) => {
      if (socket.destroyed) return;
      if (take(socket)) {
        this.#taken.add(socket);
        return;
      }
      this.#served.add(socket);
      socket.once('close', () => this.#served.delete(socket));
      for (const parse of parsers) parse.call(server, socket);
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.#pipeline.isFlooding(request)) {
      const { http } = REQUEST_ERRORS['request/overload'];
      sendError(response, http, TOO_MANY_TOGETHER, { ...PUBLIC_HEADERS, connection: 'close' });
      return;
    }
    const policy = this.#options.policies.find((each) => each.owns(request));
    assert(policy !== undefined, 'the last policy owns every request');
    if (policy.answerAlways !== undefined) {
      policy.answerAlways(request, response);
      return;
    }
    if (!this.#admit(request, response, policy) || this.#state.kind !== 'serving') return;
    const area = this.#state.areas.get(policy);
    assert(area !== undefined, 'every policy has an area');
    this.#dispatch(request, response, area);
  }

  /** Returns whether the area may answer the request. If not, answers it with the reason. */
  #admit(request: IncomingMessage, response: ServerResponse, policy: AreaPolicy): boolean {
    const { text, http } = REQUEST_ERRORS['request/overload'];
    const { headers } = policy;
    const rejection = findRequestRejection(request, this.#options);
    if (this.#pipeline.isEnding) response.setHeader('connection', 'close');
    if (this.#options.transport.isSecure) response.setHeader('strict-transport-security', ALWAYS_TLS);
    if (rejection !== undefined) sendError(response, 403, rejection, headers);
    else if (this.#state.kind === 'draining' && this.#state.isSuspending) response.destroy();
    // A browser reconnects to a stream whose connection has ended, but not after a response such as 503.
    else if (this.#state.kind !== 'serving' && asksForEventStream(request.method, request.headers))
      response.destroy();
    else if (this.#state.kind !== 'serving' && policy.answerUnavailable !== undefined)
      policy.answerUnavailable(request, response);
    else if (this.#state.kind !== 'serving') sendError(response, http, text, headers);
    else if (!this.#pipeline.enter(request.socket, response))
      sendError(
        response,
        http,
        `Wait for a response: a connection can have at most ${MAX_PIPELINED} requests in progress.`,
        headers,
      );
    else return true;
    return false;
  }

  /** Passes a request to an area, and sends the error if the area fails. */
  #dispatch(request: IncomingMessage, response: ServerResponse, area: Area): void {
    const fail = (error: unknown): void =>
      reject(error, request, response, area.errors, this.#options.logger);
    try {
      const answered = area.answer(request, response);
      if (answered === undefined) return;
      void answered.catch(fail).then(() => drainBody(request));
    } catch (error) {
      fail(error);
    }
  }
}
