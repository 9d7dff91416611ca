import type { IncomingMessage, ServerResponse } from 'node:http';
import { withKnownRequestId } from '../../http/request-source.ts';
import type { Headers } from '../../http/response.ts';
import { headerText } from './client-info.ts';

/** The headers of all responses of the Auth API. */
export const HEADERS: Headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
};
const METHODS = 'GET,POST,PATCH,DELETE,OPTIONS';
const PREFLIGHT_SEC = '7200';

/** Returns the headers of a response to a request, with the request ID if the log or the audit log names it. */
export function headersFor(request: IncomingMessage): Headers {
  return withKnownRequestId(HEADERS, request);
}

/** Sends the response that the server is unavailable, in a form that keeps clients signed in. */
export function sendUnavailable(
  request: IncomingMessage,
  response: ServerResponse,
  retryAfterSec: number,
  status: 429 | 503 = 503,
): void {
  const text =
    status === 429
      ? 'Too many requests from your network. Try again later.\n'
      : 'The service is temporarily unavailable. Try again.\n';
  sendText(request, response, status, text, { 'retry-after': String(retryAfterSec) });
}

/** Sends a response that is a text. */
export function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: Headers = {},
): void {
  response.writeHead(status, {
    ...headersFor(request),
    ...headers,
    'content-type': 'text/plain; charset=utf-8',
  });
  response.end(text);
}

/** Answers the request with which browsers ask whether a page may call a method. Pages of every origin may. */
export function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const requestedHeaders = headerText(request, 'access-control-request-headers');
  const isPrivate = headerText(request, 'access-control-request-private-network') === 'true';
  response.writeHead(204, {
    ...HEADERS,
    'access-control-allow-methods': METHODS,
    ...(requestedHeaders === undefined ? {} : { 'access-control-allow-headers': requestedHeaders }),
    'access-control-max-age': PREFLIGHT_SEC,
    ...(isPrivate ? { 'access-control-allow-private-network': 'true' } : {}),
  });
  response.end();
}
