import { REFUSALS } from '@hearth/core/fault/codes.ts';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../ops/logger.ts';

/** Answers a failed request with JSON `{"error": sentence}`. What only a bug can cause is logged and not told. */
export function refuse(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): FastifyReply {
  if (error instanceof Refusal) return sendError(reply, error.spec.http, error.message);
  const { code, statusCode } = readFrameworkError(error);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return sendError(reply, 413, REFUSALS['write/too-big'].text);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return sendError(reply, statusCode, REFUSALS['request/malformed'].text);
  const [path] = request.originalUrl.split('?', 1);
  logger.error({ err: error, method: request.method, path }, 'A request failed unexpectedly');
  return sendError(reply, REFUSALS['internal/error'].http, REFUSALS['internal/error'].text);
}

/** Answers with JSON `{"error": sentence}`. */
export function sendError(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify({ error }));
}

interface FrameworkError {
  readonly code?: unknown;
  readonly statusCode?: number;
}

/** What the errors of the HTTP framework carry. */
function readFrameworkError(error: unknown): FrameworkError {
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return {};
  return typeof error.statusCode === 'number' ? { code: error.code, statusCode: error.statusCode } : {};
}
