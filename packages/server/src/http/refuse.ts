import type { IncomingMessage, ServerResponse } from 'node:http';
import { REFUSALS, type RefusalCode } from '@hearth/core/fault/codes.ts';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { IdentityError, IdentityOverload } from '../accounts/identity-error.ts';
import type { Logger } from '../ops/logger.ts';
import { requestIdOf } from '../ops/request-id.ts';
import type { Headers } from './answer.ts';
import { isApiUrl } from './api-url.ts';
import { nameRequest } from './request-source.ts';

/**
 * Answers a failed request with JSON `{"error": sentence}`, of Hearth's own interface also with the `code` of the refusal; one
 * whose answer has begun is broken off. What only a bug can cause is logged and not told.
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
  const { status, text, code } = findReason(error) ?? reasonOf(BUG);
  if (code === BUG) logBug(error, request, logger);
  if (response.headersSent) response.destroy();
  else
    sendError(
      response,
      status,
      text,
      nameRequest(headers, request),
      isApiUrl(request.url ?? '') ? code : undefined,
    );
}

/** Answers with JSON `{"error": sentence}`, and the `code` if there is one. */
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

/** Also of what a turn says that failed, with the bug as its cause. */
const BUG = 'internal/error' satisfies RefusalCode;

interface Reason {
  readonly status: number;
  readonly text: string;
  /** As programs tell it from others. */
  readonly code: string;
}

function findReason(error: unknown): Reason | undefined {
  if (error instanceof Refusal) return { status: error.spec.http, text: error.message, code: error.code };
  if (error instanceof IdentityError) return { status: error.http, text: error.message, code: error.code };
  if (error instanceof IdentityOverload) return reasonOf('request/overload');
  const status = findFrameworkStatus(error);
  if (status === undefined || status < 400 || status >= 500) return undefined;
  return { ...reasonOf('request/malformed'), status };
}

function reasonOf(code: RefusalCode): Reason {
  const { http: status, text } = REFUSALS[code];
  return { status, text, code };
}

function logBug(error: unknown, request: IncomingMessage, logger: Logger): void {
  const [path] = (request.url ?? '').split('?', 1);
  const requestId = requestIdOf(request);
  logger.error({ err: error, method: request.method, path, requestId }, 'A request failed unexpectedly');
}

/** The status that the HTTP framework gives to errors of its own. */
function findFrameworkStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}
