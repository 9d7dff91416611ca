import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { REQUEST_ERRORS, RequestError, type RequestErrorCode } from '@hearth/core/error/request-error.ts';
import type { Logger } from '../platform/logger.ts';
import { requestIdOf } from './request-id.ts';
import { withRequestId } from './request-source.ts';
import type { Headers } from './response.ts';
import { endWithError } from './send-body.ts';

/** Headers of every response. */
export const COMMON_HEADERS: Headers = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' };

/** Headers of responses that pages of any origin may read. */
export const PUBLIC_HEADERS: Headers = {
  ...COMMON_HEADERS,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag',
};

/** Headers of responses to requests that carry a secret in the URL or in a form. */
export const SECRET_HEADERS: Headers = {
  ...COMMON_HEADERS,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
};

/** How an area formats errors. */
export interface ErrorStyle {
  readonly headers: Headers;
  /** Returns whether the response to a request shows the code of the error. */
  showsCode?(request: IncomingMessage): boolean;
  /** Returns the response to an error other than `RequestError` and `MalformedRequest`; `undefined` for a bug. */
  find?(error: unknown): ErrorReason | undefined;
}

export interface ErrorReason {
  readonly status: number;
  readonly text: string;
  /** Identifies the error to programs. */
  readonly code: string;
}

/** A malformed request that gets a more specific status than 400. */
export class MalformedRequest extends Error {
  readonly status: 414 | 415;

  constructor(status: 414 | 415) {
    super('The request is malformed.');
    this.name = 'MalformedRequest';
    this.status = status;
  }
}

/**
 * Answers a failed request with JSON `{"error": sentence}`, and with the `code` if the area shows codes. Closes the
 * connection if the response has begun. Logs bugs; the response does not describe them.
 */
export function reject(
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  style: ErrorStyle,
  logger: Logger,
): void {
  // The client has disconnected.
  if (response.destroyed) return;
  const { status, text, code } = findReason(error) ?? style.find?.(error) ?? reasonOf(BUG);
  if (code === BUG) logBug(error, request, logger);
  if (response.headersSent) response.destroy();
  else {
    const headers = status === 414 ? PUBLIC_HEADERS : style.headers;
    const shown = style.showsCode?.(request) === true ? code : undefined;
    sendError(response, status, text, withRequestId(headers, request), shown);
  }
}

/** Sends JSON `{"error": sentence}`, with the `code` if there is one. */
export function sendError(
  response: ServerResponse,
  status: number,
  error: string,
  headers: Headers,
  code?: string,
): void {
  const body = Buffer.from(JSON.stringify({ error, code }));
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}

/**
 * The code of a bug. A transaction that fails because of a bug rejects with this code too, with the bug as
 * the cause.
 */
const BUG = 'internal/error' satisfies RequestErrorCode;

function findReason(error: unknown): ErrorReason | undefined {
  if (error instanceof RequestError)
    return { status: error.spec.http, text: error.message, code: error.code };
  return error instanceof MalformedRequest
    ? { ...reasonOf('request/malformed'), status: error.status }
    : undefined;
}

/** Returns the response to an error with this code. */
export function reasonOf(code: RequestErrorCode): ErrorReason {
  const { http: status, text } = REQUEST_ERRORS[code];
  return { status, text, code };
}

function logBug(error: unknown, request: IncomingMessage, logger: Logger): void {
  const [path] = (request.url ?? '').split('?', 1);
  const requestId = requestIdOf(request);
  logger.error({ err: error, method: request.method, path, requestId }, 'A request failed unexpectedly');
}

/** Answers a request that the server could not read: not HTTP, headers too large, or too slow. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      endWithError(socket, 431, 'The URL and the headers of the request are too long.');
      break;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      endWithError(socket, 408, 'The request took too long to arrive.');
      break;
    default:
      endWithError(socket, 400, 'The request is not valid HTTP.');
  }
}
