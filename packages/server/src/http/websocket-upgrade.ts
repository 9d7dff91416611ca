import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Logger } from '../platform/logger.ts';
import type { UpgradeHandler } from './area.ts';
import { findRequestRejection, type RequestGuardOptions } from './guards.ts';
import { parseRequestTarget } from './request-target.ts';
import { endWithError } from './send-body.ts';

export interface UpgradeOptions extends RequestGuardOptions {
  readonly logger: Logger;
}

/**
 * Returns whether the client asks for the WebSocket protocol. The server ignores other upgrades, such as
 * HTTP/2.
 */
export function isWebSocketUpgrade(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Passes the socket of a client to the handler for its path, or rejects it with the reason. `upgrades` are the
 * handlers by path; `undefined` if the server is not serving.
 */
export function answerUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  upgrades: ReadonlyMap<string, UpgradeHandler> | undefined,
  options: UpgradeOptions,
): void {
  try {
    const rejection = findRequestRejection(request, options);
    if (rejection !== undefined) {
      endWithError(socket, 403, rejection);
      return;
    }
    if (upgrades === undefined) throw new RequestError('request/overload');
    const { pathname } = parseRequestTarget(request.url);
    const upgrade = upgrades.get(pathname);
    if (upgrade === undefined) throw new RequestError('http/not-found');
    upgrade(request, socket, head);
  } catch (cause) {
    const requestError =
      cause instanceof RequestError ? cause : new RequestError('internal/error', undefined, { cause });
    if (requestError !== cause) options.logger.error({ err: cause }, 'a connection could not be served');
    endWithError(socket, requestError.spec.http, requestError.message);
  }
}
