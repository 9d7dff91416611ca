import type { IncomingMessage, ServerResponse } from 'node:http';
import { REFUSALS } from '@hearth/core/fault/codes.ts';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { IdentityError } from '../accounts/identity-error.ts';
import type { Logger } from '../ops/logger.ts';
import type { Headers } from './answer.ts';

/**
 * Answers a failed request with JSON `{"error": sentence}`; one whose answer has begun is broken off. What only a bug can
 * cause is logged and not told.
 */
export function refuse(
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  headers: Headers,
  logger: Logger,
): void {
  // Nobody is there any more to be told.
  if (response.destroyed) return;
  const { status, text } = findReason(error) ?? logBug(error, request, logger);
  if (response.headersSent) response.destroy();
  else sendError(response, status, text, headers);
}

/** Answers with JSON `{"error": sentence}`. */
export function sendError(response: ServerResponse, status: number, error: string, headers: Headers): void {
  const body = Buffer.from(JSON.stringify({ error }));
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}

interface Reason {
  readonly status: number;
  readonly text: string;
}

function findReason(error: unknown): Reason | undefined {
  if (error instanceof Refusal) return { status: error.spec.http, text: error.message };
  if (error instanceof IdentityError) return { status: error.http, text: error.message };
  const status = findFrameworkStatus(error);
  if (status === undefined || status < 400 || status >= 500) return undefined;
  return { status, text: REFUSALS['request/malformed'].text };
}

function logBug(error: unknown, request: IncomingMessage, logger: Logger): Reason {
  const [path] = (request.url ?? '').split('?', 1);
  logger.error({ err: error, method: request.method, path }, 'A request failed unexpectedly');
  const { http: status, text } = REFUSALS['internal/error'];
  return { status, text };
}

/** The status that the HTTP framework gives to errors of its own. */
function findFrameworkStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}
