import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorStyle } from './errors.ts';
import type { Headers } from './response.ts';

/** The part of an area that the server needs in every state: while it starts, serves and shuts down. */
export interface AreaPolicy {
  /**
   * Returns whether the area owns a request. Only the method, URL and headers decide. If several areas own the request,
   * the first one in the server's list answers it. Must not throw, whatever the request contains.
   */
  owns(request: IncomingMessage): boolean;
  /** Headers of the errors that the server sends instead of passing a request to the area. */
  readonly headers: Headers;
  /** Names that the `Host` header may contain, in addition to those of the whole server. */
  readonly hosts?: readonly string[];
  /** Answers while the server starts or shuts down. If absent, the server responds with a 503 in JSON. */
  answerUnavailable?(request: IncomingMessage, response: ServerResponse): void;
  /** Answers in every state of the server and for every host. For requests that are always wrong. */
  answerAlways?(request: IncomingMessage, response: ServerResponse): void;
}

/** A part of the server's URLs, with the code that answers requests for them. */
export interface Area {
  readonly policy: AreaPolicy;
  readonly errors: ErrorStyle;
  /**
   * Answers a request. A returned promise resolves when the response is sent; the server then discards the rest of the
   * request body. If it rejects, the server sends the error. An area that returns nothing stays responsible for the
   * request and its body.
   */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void> | void;
}

/** Takes over the socket of a client that requests a WebSocket, or throws a `RequestError`. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Everything that a server serves. */
export interface Site {
  readonly areas: readonly Area[];
  /** Upgrade handlers by the path of the request. */
  readonly upgrades: ReadonlyMap<string, UpgradeHandler>;
  /** Ends the open connections and streams, which would not end by themselves. */
  close(): Promise<void>;
}
