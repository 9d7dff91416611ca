import type { IncomingMessage } from 'node:http';
import { findRequestId, requestIdOf } from './request-id.ts';
import type { Headers } from './response.ts';

/** The source of a request, and its id. */
export interface RequestSource {
  /** Network address of the other end; of the client itself if a configured proxy is in between. */
  readonly address: string;
  /** The user agent as the client states it. A client can claim anything. */
  readonly userAgent: string;
  /** The value of the response header `x-request-id`; `null` for events without a request. */
  readonly requestId: string | null;
}

/** Returns the source of a request. `address` is the address of the client. */
export function requestSource(request: IncomingMessage, address: string): RequestSource {
  return { address, userAgent: request.headers['user-agent'] ?? '', requestId: requestIdOf(request) };
}

/** Returns the headers of a response, and adds the request id if the log or the audit log contains it. */
export function withKnownRequestId(headers: Headers, request: IncomingMessage): Headers {
  return findRequestId(request) === undefined ? headers : withRequestId(headers, request);
}

/** Returns the headers of a response with the request id that the log and the audit log use. */
export function withRequestId(headers: Headers, request: IncomingMessage): Headers {
  return { ...headers, 'x-request-id': requestIdOf(request) };
}
