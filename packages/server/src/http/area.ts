import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorStyle } from './errors.ts';
import type { Headers } from './response.ts';

/** What the server knows of an area in every state: before it serves, while it serves, and while it ends. */
export interface AreaPolicy {
  /** Returns whether a request is the area's. The first policy in the server's list that owns a request has it. */
  owns(request: IncomingMessage): boolean;
  /** Headers of refusals that the server sends before the area sees the request. */
  readonly headers: Headers;
  /** Names that the `Host` header may have, in addition to those of the whole server. */
  readonly hosts?: readonly string[];
  /** Answers while the server starts or ends. Without it, the answer is a 503 in JSON. */
  answerUnavailable?(request: IncomingMessage, response: ServerResponse): void;
  /** Answers in every state, and from every host: what is wrong with the request does not depend on the server. */
  answerAlways?(request: IncomingMessage, response: ServerResponse): void;
}

/** A part of the addresses of the server, and what answers there. */
export interface Area {
  readonly policy: AreaPolicy;
  readonly errors: ErrorStyle;
  /**
   * Answers a request. A promise is kept when the answer is sent; the server then drops what is left of the body. It
   * rejects with what the server prints. An area that returns nothing keeps the request and its body.
   */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void> | void;
}

/** Takes over the socket of a client that asks for a WebSocket. Throws a `RequestError` instead if it does not. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Everything that a server serves. */
export interface Site {
  readonly areas: readonly Area[];
  /** By the path of the request. */
  readonly upgrades: ReadonlyMap<string, UpgradeHandler>;
  /** Ends connections and streams, which would not end by themselves. */
  close(): Promise<void>;
}
