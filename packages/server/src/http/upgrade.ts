import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Logger } from '../ops/logger.ts';
import { type AdmissionOptions, findBar } from './admission.ts';
import { endWithError } from './end-with-error.ts';
import { namespaceOf } from './namespace.ts';
import { parseRequestTarget } from './request-target.ts';
import type { WebSocketEndpoint } from './websocket-endpoint.ts';

const WEBSOCKET_PATHNAME = '/.ws';

export interface UpgradeOptions extends AdmissionOptions {
  readonly logger: Logger;
  readonly defaultNamespace: string | null;
}

/** Does the client ask for the WebSocket protocol? Other offers, such as HTTP/2, are not taken. */
export function isWebSocketUpgrade(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket';
}

/** Passes a WebSocket on to the endpoint, or answers why not; `undefined` stands for a server that does not serve. */
export function answerUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  endpoint: WebSocketEndpoint | undefined,
  options: UpgradeOptions,
): void {
  const { host } = request.headers;
  try {
    const bar = findBar(request, options);
    if (bar !== undefined) {
      endWithError(socket, 403, bar);
      return;
    }
    if (endpoint === undefined) throw new Refusal('request/overload');
    const { pathname, query } = parseRequestTarget(request.url);
    if (pathname !== WEBSOCKET_PATHNAME) throw new Refusal('http/not-found');
    endpoint.handleUpgrade(request, socket, head, namespaceOf(host, query, options.defaultNamespace));
  } catch (cause) {
    const refusal = cause instanceof Refusal ? cause : new Refusal('internal/error', undefined, { cause });
    if (refusal !== cause) options.logger.error({ err: cause }, 'a connection could not be served');
    endWithError(socket, refusal.spec.http, refusal.message);
  }
}
