import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { setTimeout } from 'node:timers';
import { REFUSALS } from '@hearth/core/fault/codes.ts';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type FastifyInstance, fastify } from 'fastify';
import type { Certificate } from '../ops/certificate.ts';
import type { Logger } from '../ops/logger.ts';
import { findBar } from './admission.ts';
import { type Headers, sendAnswer } from './answer.ts';
import { answerApi, answerPublicApi } from './api.ts';
import { isApiUrl } from './api-url.ts';
import type { HttpBackend } from './backend.ts';
import { answerClientError } from './client-error.ts';
import { COMMON_HEADERS, PUBLIC_HEADERS } from './common-headers.ts';
import { consolePathOf } from './console/console-path.ts';
import { answerCoverage, type CoverageRoute } from './coverage-routes.ts';
import { isCoverageUrl } from './coverage-url.ts';
import { isDataRequest } from './data-url.ts';
import { asksForEventStream } from './event-stream-request.ts';
import { hostedPathOf } from './identity/hosted-path.ts';
import { sendUnavailable } from './identity/identity-http.ts';
import { identityPathOf } from './identity/identity-path.ts';
import { MANAGEMENT_ROUTES } from './management-routes.ts';
import { findOtherMethods } from './other-methods.ts';
import { OWN_ROUTES } from './own-routes.ts';
import type { OwnerSetup } from './owner-setup.ts';
import { MAX_PIPELINED, Pipeline } from './pipeline.ts';
import { PUBLIC_API_ROUTES } from './public-api-routes.ts';
import { refuse, sendError } from './refuse.ts';
import { drainBody } from './request-body.ts';
import { answerRest, type RestOptions } from './rest.ts';
import { readHealth } from './routes/health-read.ts';
import { passLongPoll } from './routes/long-poll.ts';
import { asksFromHere, readMetrics } from './routes/metrics-read.ts';
import { answerNotFound } from './routes/not-found.ts';
import { answerOwner } from './routes/owner-create.ts';
import { answerPreflight } from './routes/preflight.ts';
import { answerSetupPage } from './routes/setup-page-read.ts';
import { answerUpgrade, isWebSocketUpgrade, type UpgradeOptions } from './upgrade.ts';

export interface HttpOptions extends RestOptions, UpgradeOptions {
  readonly logger: Logger;
  readonly coverageRoutes: readonly CoverageRoute[];
  /** With one, the port speaks TLS alone. */
  readonly certificate: Certificate | null;
}

/** A peer that sends slowly, on purpose or not, gives its place back after these times. */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 3_600_000;
const INACTIVITY_MS = 120_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const CONNECTIONS_CHECKING_MS = 5_000;
/** Address and headers together; an address may carry a token. */
const MAX_HEADER_BYTES = 65_536;
const MAX_HEADERS = 100;
/** How long requests may go on after the server was asked to end. */
const DRAIN_LIMIT_MS = 10_000;
const SERVER_OPTIONS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  connectionsCheckingInterval: CONNECTIONS_CHECKING_MS,
  maxHeaderSize: MAX_HEADER_BYTES,
  shouldUpgradeCallback: isWebSocketUpgrade,
};

/** When clients of identity are to come back that meet a server which starts or ends. */
const RETRY_AFTER_SEC = 5;

/** What a form may be sent to. */
const OWNER_URL = '/api/owner';

/** Two years, as browsers that keep lists of such hosts ask for. */
const ALWAYS_TLS = 'max-age=63072000';

/** What the router of the framework is told instead of addresses that it would decode in its own way. */
const DATA_ROUTE = '/.data';

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
  #tls: TlsServer | undefined;
  #state: State = { kind: 'starting' };

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#app = fastify({
      logger: false,
      exposeHeadRoutes: false,
      return503OnClosing: false,
      serverFactory: (answerOther) => this.#createServer(answerOther),
      rewriteUrl: (request) => {
        const { url = '/' } = request;
        const isOwn = hostedPathOf(url) !== undefined || consolePathOf(url) !== undefined;
        return isOwn || isDataRequest(request) ? DATA_ROUTE : url;
      },
      clientErrorHandler: answerClientError,
      frameworkErrors: (error, request, reply) => {
        reply.hijack();
        refuse(error, request.raw, reply.raw, PUBLIC_HEADERS, options.logger);
      },
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

  /** Shows another certificate to those who connect from now on. */
  replaceCertificate(certificate: Certificate): void {
    this.#tls?.setSecureContext(certificate);
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
    this.#pipeline.endConnections();
    const closed = this.#app.close();
    if (before.kind === 'serving') {
      before.backend.eventStreams.close();
      before.backend.profiling[Symbol.dispose]();
      before.backend.explorer[Symbol.dispose]();
      before.backend.feeds[Symbol.dispose]();
      await before.backend.longPolls.close();
      await before.backend.webSockets.close();
    }
    const timer = setTimeout(() => this.#app.server.closeAllConnections(), DRAIN_LIMIT_MS);
    await closed;
    clearTimeout(timer);
  }

  /**
   * Data are answered before the framework looks at a request: its router would decode their addresses in its own way, and
   * what it adds to a request costs more than reading a value.
   */
  #createServer(answerOther: RequestListener): Server {
    const { certificate } = this.#options;
    const answer: RequestListener = (request, response) => {
      const { method, url = '/' } = request;
      if (method !== 'OPTIONS' && isDataRequest(request)) {
        this.#answerData(request, response);
        return;
      }
      const identityPath = identityPathOf(url);
      if (identityPath !== undefined) this.#answerIdentity(request, response, identityPath);
      else answerOther(request, response);
    };
    if (certificate !== null) this.#tls = createTlsServer({ ...SERVER_OPTIONS, ...certificate }, answer);
    const server = this.#tls ?? createServer(SERVER_OPTIONS, answer);
    server.setTimeout(INACTIVITY_MS);
    return server;
  }

  #answerData(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#admit(request, response, PUBLIC_HEADERS)) return;
    this.#answer(request, response, PUBLIC_HEADERS, (backend) =>
      answerRest(request, response, backend, this.#options),
    );
  }

  #answerIdentity(request: IncomingMessage, response: ServerResponse, path: string): void {
    if (!this.#admit(request, response, PUBLIC_HEADERS)) return;
    this.#answer(request, response, PUBLIC_HEADERS, (backend) =>
      backend.identity.answer(request, response, path),
    );
  }

  #addHooks(): void {
    const { logger } = this.#options;
    this.#app.addHook('onRequest', (request, reply, done) => {
      const headers = headersFor(request.originalUrl);
      // The router was told of another address.
      request.raw.url = request.originalUrl;
      if (!this.#admit(request.raw, reply.raw, headers)) {
        reply.hijack();
        return;
      }
      const hostedPath = hostedPathOf(request.originalUrl);
      if (hostedPath !== undefined) {
        reply.hijack();
        this.#answer(request.raw, reply.raw, COMMON_HEADERS, (backend) =>
          backend.hostedPages.answer(request.raw, reply.raw, hostedPath),
        );
        return;
      }
      const consolePath = consolePathOf(request.originalUrl);
      const isPreflight = request.method === 'OPTIONS' && isDataRequest(request.raw);
      if (consolePath !== undefined && !isPreflight) {
        reply.hijack();
        this.#answer(request.raw, reply.raw, COMMON_HEADERS, (backend) =>
          backend.consolePages.answer(request.raw, reply.raw, consolePath),
        );
        return;
      }
      reply.headers(headers);
      // Bodies are JSON whatever they claim to be, so no claim may make the framework refuse one.
      if (request.originalUrl !== OWNER_URL) delete request.headers['content-type'];
      done();
    });
    this.#app.removeAllContentTypeParsers();
    // Routes read bodies themselves, as far as they need them.
    this.#app.addContentTypeParser('*', async (_request: unknown, body: IncomingMessage) => body);
    this.#app.setErrorHandler((error, request, reply) => {
      reply.hijack();
      refuse(error, request.raw, reply.raw, headersFor(request.originalUrl), logger);
    });
  }

  /** May the request be answered at all? Otherwise it has been told why not. */
  #admit(request: IncomingMessage, response: ServerResponse, headers: Headers): boolean {
    const { text, http } = REFUSALS['request/overload'];
    const bar = findBar(request, this.#options);
    if (this.#state.kind === 'draining') response.setHeader('connection', 'close');
    if (this.#options.transport.isSecure) response.setHeader('strict-transport-security', ALWAYS_TLS);
    if (bar !== undefined) sendError(response, 403, bar, headers);
    // A browser comes back to a stream whose connection has ended, but not after an answer such as 503.
    else if (this.#state.kind !== 'serving' && asksForEventStream(request.method, request.headers))
      response.destroy();
    else if (this.#state.kind !== 'serving' && identityPathOf(request.url ?? '') !== undefined)
      sendUnavailable(request, response, RETRY_AFTER_SEC);
    else if (this.#state.kind !== 'serving') sendError(response, http, text, headers);
    else if (!this.#pipeline.enter(request.socket, response))
      sendError(
        response,
        http,
        `Wait for an answer: a connection has at most ${MAX_PIPELINED} requests under way.`,
        headers,
      );
    else return true;
    return false;
  }

  /** Lets `answer` answer a request, and tells the client when it rejects. */
  #answer(
    request: IncomingMessage,
    response: ServerResponse,
    headers: Headers,
    answer: (backend: HttpBackend) => Promise<void>,
  ): void {
    const { logger } = this.#options;
    if (this.#state.kind !== 'serving')
      refuse(new Refusal('request/overload'), request, response, headers, logger);
    else
      answer(this.#state.backend).then(
        () => drainBody(request),
        (error) => {
          refuse(error, request, response, headers, logger);
          drainBody(request);
        },
      );
  }

  #addRoutes(): void {
    this.#app.get('/healthz', (_request, reply) => readHealth(reply));
    this.#app.get('/metrics', ({ raw }, reply) => {
      reply.hijack();
      this.#answer(raw, reply.raw, COMMON_HEADERS, async (backend) =>
        !this.#options.transport.mayBeProxied && asksFromHere(raw)
          ? sendAnswer(raw, reply.raw, await readMetrics({ backend }), COMMON_HEADERS)
          : answerApi(raw, reply.raw, {}, { run: readMetrics, right: 'look' }, backend, this.#options),
      );
    });
    this.#app.options(DATA_ROUTE, answerPreflight);
    this.#addSetup();
    for (const { method, url, ...route } of [...OWN_ROUTES, ...MANAGEMENT_ROUTES])
      this.#app.route({
        method,
        url,
        handler: (request, reply) => {
          reply.hijack();
          const segments = request.params as Readonly<Record<string, string>>;
          this.#answer(request.raw, reply.raw, COMMON_HEADERS, (backend) =>
            answerApi(request.raw, reply.raw, segments, route, backend, this.#options),
          );
        },
      });
    for (const { method, url, run } of PUBLIC_API_ROUTES)
      this.#app.route({
        method,
        url,
        handler: (request, reply) => {
          reply.hijack();
          const segments = request.params as Readonly<Record<string, string>>;
          this.#answer(request.raw, reply.raw, COMMON_HEADERS, (backend) =>
            answerPublicApi(request.raw, reply.raw, segments, run, backend, this.#options),
          );
        },
      });
    for (const { url, known, others } of findOtherMethods(
      [...OWN_ROUTES, ...PUBLIC_API_ROUTES],
      this.#app.supportedMethods,
    ))
      this.#app.route({
        method: others,
        url,
        handler: (request, reply) => {
          reply.hijack();
          this.#answer(request.raw, reply.raw, COMMON_HEADERS, async () => {
            const text = `There is ${known.join(', ')} at this address, not ${request.method}.`;
            throw new Refusal('http/method', text);
          });
        },
      });
    for (const { url, print } of this.#options.coverageRoutes)
      this.#app.route({
        method: ['GET', 'HEAD'],
        url,
        handler: (request, reply) => {
          reply.hijack();
          this.#answer(request.raw, reply.raw, COMMON_HEADERS, (backend) =>
            answerCoverage(request.raw, reply.raw, print, backend, this.#options.defaultNamespace),
          );
        },
      });
    this.#app.route({
      method: ['GET', 'POST'],
      url: '/.lp',
      handler: (request, reply) => {
        if (this.#state.kind !== 'serving') throw new Refusal('request/overload');
        const { longPolls } = this.#state.backend;
        return passLongPoll(request, reply, longPolls, this.#options.defaultNamespace);
      },
    });
    this.#app.setNotFoundHandler(answerNotFound);
  }

  /** The way to the first owner. */
  #addSetup(): void {
    this.#app.post(OWNER_URL, (request, reply) => {
      reply.hijack();
      this.#answer(request.raw, reply.raw, COMMON_HEADERS, async ({ setUpOwner }) =>
        answerOwner(
          request.raw,
          reply.raw,
          mustBeThere(setUpOwner),
          this.#options.transport.clientAddressOf(request.raw),
        ),
      );
    });
    this.#app.get('/console/setup', (request, reply) => {
      reply.hijack();
      this.#answer(request.raw, reply.raw, COMMON_HEADERS, async ({ setUpOwner }) => {
        mustBeThere(setUpOwner);
        return answerSetupPage(request.raw, reply.raw);
      });
    });
  }
}

function mustBeThere(setUp: OwnerSetup | null): OwnerSetup {
  if (setUp === null) throw new Refusal('http/not-found');
  return setUp;
}

function headersFor(url: string): Headers {
  // Pages of other origins have no business there.
  return isApiUrl(url) || isCoverageUrl(url) ? COMMON_HEADERS : PUBLIC_HEADERS;
}
