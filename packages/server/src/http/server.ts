import { setTimeout } from 'node:timers';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type FastifyInstance, fastify, type InjectOptions, type LightMyRequestResponse } from 'fastify';
import type { Logger } from '../ops/logger.ts';
import type { HttpBackend } from './backend.ts';
import { answerClientError } from './client-error.ts';
import { isDataPathname } from './data-location.ts';
import { isLocalHost, unknownHostMessage } from './host-guard.ts';
import { MAX_PIPELINED, Pipeline } from './pipeline.ts';
import { refuse, sendError } from './refuse.ts';
import { answerRest, type RestOptions } from './rest.ts';
import { REST_METHODS } from './rest-route.ts';
import { readHealth } from './routes/health-read.ts';
import { answerNotFound } from './routes/not-found.ts';
import { answerPreflight } from './routes/preflight.ts';
import { answerUpgrade, isWebSocketUpgrade, type UpgradeOptions } from './upgrade.ts';

export interface HttpOptions extends RestOptions, UpgradeOptions {
  readonly maxBodyBytes: number;
  readonly logger: Logger;
}

/** A peer that sends slowly, on purpose or not, gives its place back after these times. */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 300_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const CONNECTIONS_CHECKING_MS = 5_000;
/** Address and headers together; an address may carry a token. */
const MAX_HEADER_BYTES = 65_536;
const MAX_HEADERS = 100;
/** How long requests may go on after the server was asked to end. */
const DRAIN_LIMIT_MS = 10_000;

/** The route of all REST requests, whose addresses the router of the framework would decode in its own way. */
const REST_ROUTE = '/.rest';

type State =
  | { readonly kind: 'starting' }
  | { readonly kind: 'serving'; readonly backend: HttpBackend }
  | { readonly kind: 'draining' };

/**
 * The one port: REST, health, and the way to the WebSocket endpoint. Listens before there is anything to serve, so
 * that a taken port is found out first; until then, and from `close` on, it answers 503.
 */
export class HttpServer {
  readonly #app: FastifyInstance;
  readonly #options: HttpOptions;
  readonly #pipeline = new Pipeline();
  #state: State = { kind: 'starting' };

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#app = fastify({
      logger: false,
      exposeHeadRoutes: false,
      return503OnClosing: false,
      bodyLimit: options.maxBodyBytes,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      http: {
        headersTimeout: HEADERS_TIMEOUT_MS,
        connectionsCheckingInterval: CONNECTIONS_CHECKING_MS,
        maxHeaderSize: MAX_HEADER_BYTES,
        shouldUpgradeCallback: isWebSocketUpgrade,
      },
      rewriteUrl: ({ url = '/' }) => (isDataUrl(url) ? REST_ROUTE : url),
      clientErrorHandler: answerClientError,
      frameworkErrors: (error, request, reply) => refuse(error, request, reply, options.logger),
    });
    this.#addHooks();
    this.#addRoutes();
  }

  /** The port that was bound. Rejects with the system's error when it cannot be. */
  async listen(host: string, port: number): Promise<number> {
    const { server } = this.#app;
    server.maxHeadersCount = MAX_HEADERS;
    server.on('upgrade', (request, socket, head) => {
      const endpoint = this.#state.kind === 'serving' ? this.#state.backend.webSockets : undefined;
      answerUpgrade(request, socket, head, endpoint, this.#options);
    });
    await this.#app.listen({ host, port });
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  /** Serves from now on. */
  serve(backend: HttpBackend): void {
    this.#state = { kind: 'serving', backend };
  }

  /**
   * Takes no more requests, ends the WebSockets, and resolves when the requests under way are answered or have had
   * their time. The backend may be closed then.
   */
  async close(): Promise<void> {
    const before = this.#state;
    this.#state = { kind: 'draining' };
    const closed = this.#app.close();
    if (before.kind === 'serving') await before.backend.webSockets.close();
    const timer = setTimeout(() => this.#app.server.closeAllConnections(), DRAIN_LIMIT_MS);
    await closed;
    clearTimeout(timer);
  }

  /** Answers a request that did not come over the network. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse> {
    return this.#app.inject(request);
  }

  #addHooks(): void {
    const { allowedHosts, logger } = this.#options;
    this.#app.addHook('onRequest', async (request, reply) => {
      reply.headers({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'ETag',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
      });
      const { host } = request.headers;
      if (!isLocalHost(host, allowedHosts)) return sendError(reply, 403, unknownHostMessage(host));
      if (this.#state.kind !== 'serving') throw new Refusal('request/overload');
      if (!this.#pipeline.enter(request.raw.socket, reply.raw))
        return sendError(
          reply,
          503,
          `Wait for an answer: a connection has at most ${MAX_PIPELINED} requests under way.`,
        );
      // Bodies are JSON whatever they claim to be, so no claim may make the framework refuse one.
      delete request.headers['content-type'];
    });
    this.#app.removeAllContentTypeParsers();
    this.#app.addContentTypeParser(
      '*',
      { parseAs: 'buffer' },
      async (_request: unknown, body: Buffer) => body,
    );
    this.#app.setErrorHandler((error, request, reply) => refuse(error, request, reply, logger));
  }

  #addRoutes(): void {
    this.#app.get('/healthz', (_request, reply) => readHealth(reply));
    this.#app.options(REST_ROUTE, answerPreflight);
    this.#app.route({
      method: [...REST_METHODS],
      url: REST_ROUTE,
      handler: (request, reply) => {
        // The address of the route itself is not an address of data.
        if (!isDataUrl(request.originalUrl)) return answerNotFound(request, reply);
        if (this.#state.kind !== 'serving') throw new Refusal('request/overload');
        return answerRest(request, reply, this.#state.backend, this.#options);
      },
    });
    this.#app.setNotFoundHandler(answerNotFound);
  }
}

function isDataUrl(url: string): boolean {
  return isDataPathname(url.split('?', 1).join(''));
}
