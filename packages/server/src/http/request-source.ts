import type { IncomingMessage } from 'node:http';
import type { RequestSource } from '../audit/audit-trail.ts';
import { findRequestId, requestIdOf } from '../ops/request-id.ts';
import type { Headers } from './answer.ts';

/** Where a request comes from, whose client has an address. */
export function requestSource(request: IncomingMessage, address: string): RequestSource {
  return { address, userAgent: request.headers['user-agent'] ?? '', requestId: requestIdOf(request) };
}

/** Headers of an answer, with what its request is called if the log or the audit knows it by that. */
export function nameToldRequest(headers: Headers, request: IncomingMessage): Headers {
  return findRequestId(request) === undefined ? headers : nameRequest(headers, request);
}

/** Headers of an answer, with what its request is called in the log and in the audit. */
export function nameRequest(headers: Headers, request: IncomingMessage): Headers {
  return { ...headers, 'x-request-id': requestIdOf(request) };
}
