import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers';
import { MANY_CLIENTS } from '../platform/resource-pool.ts';
import type { Transport } from './transport.ts';

/**
 * Maximum number of concurrent requests on one connection. Node starts all requests that arrive in one
 * packet, however large their responses are and whether or not the client reads any.
 */
export const MAX_PIPELINED = 8;

/**
 * Maximum number of requests that one connection may start in one iteration of the event loop. Each takes about 20 µs
 * even if it is rejected.
 */
export const MAX_STARTED_TOGETHER = 64;

/**
 * Maximum numbers of requests that follow the first one of their connection in one iteration of the event loop, for the
 * clients of one network and for all clients.
 */
export const MAX_FOLLOWING_OF_NETWORK = 128;
export const MAX_FOLLOWING = 512;

/** The requests of one connection. */
interface ConnectionRequests {
  inProgress: number;
  /**
   * The iteration of the event loop in which the latest request began. Reads are not counted, because over TLS each
   * record is a read of its own.
   */
  iteration: number;
  startedTogether: number;
}

/** Counts the requests in progress on each connection, and those that begin in one iteration of the event loop. */
export class Pipeline {
  readonly #networkOf: (request: IncomingMessage) => string;
  readonly #connections = new WeakMap<Socket, ConnectionRequests>();
  /** The requests of this iteration that are not the first of their connection, by network. */
  readonly #followingOfNetworks = new Map<string, number>();
  #following = 0;
  /** Counts the iterations of the event loop in which requests begin. */
  #iteration = 0;
  #isIterationEnding = false;
  #isEnding = false;

  constructor({ networkOfClient }: Transport) {
    this.#networkOf = networkOfClient;
  }

  /**
   * Counts a request that begins. Returns whether its connection, its network or all connections have begun too many at
   * once. If so, Node parses no more of the connection's requests, and the caller must end it with a response.
   */
  isFlooding(request: IncomingMessage): boolean {
    const requests = this.#requestsOf(request.socket);
    this.#endIterationLater();
    if (requests.iteration !== this.#iteration) {
      requests.iteration = this.#iteration;
      requests.startedTogether = 1;
      return false;
    }
    requests.startedTogether += 1;
    if (requests.startedTogether <= MAX_STARTED_TOGETHER && this.#mayBegin(request)) return false;
    stopParsing(request.socket);
    return true;
  }

  /**
   * Registers a request until its response is closed. Returns `false` if its connection already has
   * `MAX_PIPELINED` requests in progress.
   */
  enter(socket: Socket, response: ServerResponse): boolean {
    const requests = this.#requestsOf(socket);
    if (requests.inProgress >= MAX_PIPELINED) return false;
    requests.inProgress += 1;
    response.on('close', () => {
      requests.inProgress -= 1;
      if (this.#isEnding && requests.inProgress === 0) socket.destroySoon();
    });
    return true;
  }

  /** Whether each connection ends with the last response in progress on it. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Returns whether requests are in progress on a connection. */
  isBusy(socket: Socket): boolean {
    return (this.#connections.get(socket)?.inProgress ?? 0) > 0;
  }

  /** Makes each connection end with the last response in progress on it. */
  endConnections(): void {
    this.#isEnding = true;
  }

  /** Reverses `endConnections`, for connections that follow. */
  keepConnections(): void {
    this.#isEnding = false;
  }

  #requestsOf(socket: Socket): ConnectionRequests {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const requests = { inProgress: 0, iteration: -1, startedTogether: 0 };
    this.#connections.set(socket, requests);
    return requests;
  }

  #endIterationLater(): void {
    if (this.#isIterationEnding) return;
    this.#isIterationEnding = true;
    setImmediate(() => {
      this.#isIterationEnding = false;
      this.#iteration += 1;
      this.#following = 0;
      this.#followingOfNetworks.clear();
    });
  }

  /**
   * Counts a request that follows the first one of its connection. Returns whether the limits of this iteration allow
   * it.
   */
  #mayBegin(request: IncomingMessage): boolean {
    this.#following += 1;
    if (this.#following > MAX_FOLLOWING) return false;
    const network = this.#networkOf(request);
    if (network === MANY_CLIENTS) return true;
    const ofNetwork = (this.#followingOfNetworks.get(network) ?? 0) + 1;
    this.#followingOfNetworks.set(network, ofNetwork);
    return ofNetwork <= MAX_FOLLOWING_OF_NETWORK;
  }
}

/**
 * The part of Node's HTTP parser that stops it. Node has no public way: it parses all requests of a read, even if the
 * connection is destroyed.
 */
interface RequestParser {
  /** Called with the head of a request. A negative result makes the parser report an error of this callback. */
  onIncoming: (request: IncomingMessage, isKeptAlive: boolean) => number;
}

/**
 * Returns whether an error of a connection means that its parser was stopped. The response has then already been sent.
 */
export function isParsingStopped({ code }: Error & { readonly code?: string }): boolean {
  return code === 'HPE_CB_HEADERS_COMPLETE';
}

/** Makes Node parse no request of a connection after the present one. */
function stopParsing(socket: Socket & { readonly parser?: RequestParser | null }): void {
  if (socket.parser !== undefined && socket.parser !== null) socket.parser.onIncoming = () => -1;
}
