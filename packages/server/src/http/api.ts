import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Realm } from '../identity/verifier.ts';
import type { AdmissionOptions } from './admission.ts';
import { sendAnswer } from './answer.ts';
import type { ApiRequest } from './api-request.ts';
import type { ApiRouteEntry } from './api-routes.ts';
import type { HttpBackend } from './backend.ts';
import { COMMON_HEADERS } from './common-headers.ts';
import { parseNamespace } from './namespace.ts';
import { bodyOf } from './request-body.ts';
import { parseRequestTarget } from './request-target.ts';
import type { RestOptions } from './rest.ts';
import { identify } from './rest-identity.ts';

const SERVER: Realm = { kind: 'server' };

/**
 * Answers one request to the interface of Hearth's own, or rejects with a `Refusal`. The credential is taken from the
 * header alone, which a page of another origin cannot send.
 */
export async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  segments: ApiRequest['segments'],
  { run, isFor }: Pick<ApiRouteEntry, 'run' | 'isFor'>,
  backend: HttpBackend,
  { maxBodyBytes, transport }: Pick<RestOptions & AdmissionOptions, 'maxBodyBytes' | 'transport'>,
): Promise<void> {
  const realm = realmOf(segments, isFor);
  const identity = await identify(
    request.headers.authorization,
    new URLSearchParams(),
    backend.verifiers,
    realm,
  );
  if (identity.kind !== 'admin') throw new Refusal('auth/admin-only');
  const answer = await run({
    backend,
    segments,
    query: parseRequestTarget(request.url).query,
    origin: transport.originOf(request),
    client: {
      address: transport.clientAddressOf(request),
      userAgent: request.headers['user-agent'] ?? '',
    },
    identity,
    body: bodyOf(request),
    keepOpen: () => void request.socket.setTimeout(0),
    maxBodyBytes,
  });
  return sendAnswer(request, response, answer, COMMON_HEADERS);
}

/** What a request is about, as its route and its address say. */
function realmOf({ database, project }: ApiRequest['segments'], isFor: ApiRouteEntry['isFor']): Realm {
  if (isFor === 'server') return SERVER;
  if (database !== undefined) return { kind: 'database', name: parseNamespace(database) };
  if (project === undefined) return SERVER;
  return isFor === 'audit' ? { kind: 'audit', project } : { kind: 'project', id: project };
}
