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

/** Where a request comes from, whose client has an address. */
export function requestSource(request: IncomingMessage, address: string): RequestSource {
  return { address, userAgent: request.headers['user-agent'] ?? '', requestId: requestIdOf(request) };
}

/** Headers of an answer, with what its request is called if the log or the audit knows it by that. */
export function nameAuditedRequest(headers: Headers, request: IncomingMessage): Headers {
  return findRequestId(request) === undefined ? headers : nameRequest(headers, request);
}

/** Headers of an answer, with what its request is called in the log and in the audit. */
export function nameRequest(headers: Headers, request: IncomingMessage): Headers {
  return { ...headers, 'x-request-id': requestIdOf(request) };
}
