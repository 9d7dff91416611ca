import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { sendAnswer } from './answer.ts';
import type { ApiRequest, ApiRoute } from './api-request.ts';
import type { HttpBackend } from './backend.ts';
import { COMMON_HEADERS } from './common-headers.ts';
import { bodyOf } from './request-body.ts';
import { parseRequestTarget } from './request-target.ts';
import type { RestOptions } from './rest.ts';
import { identify } from './rest-identity.ts';

/**
 * Answers one request to the interface of Hearth's own, or rejects with a `Refusal`. The credential is taken from the
 * header alone, which a page of another origin cannot send.
 */
export async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  segments: ApiRequest['segments'],
  run: ApiRoute,
  backend: HttpBackend,
  { verifiers, maxBodyBytes }: RestOptions,
): Promise<void> {
  const identity = await identify(request.headers.authorization, new URLSearchParams(), verifiers);
  if (identity.kind !== 'admin') throw new Refusal('auth/admin-only');
  const answer = await run({
    backend,
    segments,
    query: parseRequestTarget(request.url).query,
    host: request.headers.host ?? '',
    identity,
    body: bodyOf(request),
    keepOpen: () => void request.socket.setTimeout(0),
    maxBodyBytes,
  });
  return sendAnswer(request, response, answer, COMMON_HEADERS);
}
