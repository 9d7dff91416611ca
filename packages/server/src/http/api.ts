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
  { run, isForServer }: Pick<ApiRouteEntry, 'run' | 'isForServer'>,
  backend: HttpBackend,
  { maxBodyBytes, transport }: Pick<RestOptions & AdmissionOptions, 'maxBodyBytes' | 'transport'>,
): Promise<void> {
  const realm = isForServer === true ? SERVER : realmOf(segments);
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
    host: request.headers.host ?? '',
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

/** What a request is about, as its address says. */
function realmOf({ database, project }: ApiRequest['segments']): Realm {
  if (database !== undefined) return { kind: 'database', name: parseNamespace(database) };
  return project === undefined ? SERVER : { kind: 'project', id: project };
}
