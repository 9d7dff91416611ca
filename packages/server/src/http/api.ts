import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { databaseIdentity } from '../accounts/database-identity.ts';
import type { Realm } from '../accounts/realm.ts';
import type { RequestSource } from '../audit/audit-trail.ts';
import type { AdmissionOptions } from './admission.ts';
import { admitAdmin } from './admit-admin.ts';
import { sendAnswer } from './answer.ts';
import type { ApiRequest } from './api-request.ts';
import type { ApiRouteEntry } from './api-routes.ts';
import type { HttpBackend } from './backend.ts';
import { COMMON_HEADERS } from './common-headers.ts';
import { asksForEventStream } from './event-stream-request.ts';
import { parseNamespace } from './namespace.ts';
import type { PublicApiRouteEntry } from './public-api-routes.ts';
import { bodyOf } from './request-body.ts';
import { nameRequest, requestSource } from './request-source.ts';
import { parseRequestTarget } from './request-target.ts';
import type { RestOptions } from './rest.ts';
import type { Transport } from './transport.ts';

const SERVER: Realm = { kind: 'server' };

/**
 * Answers one request to the interface of Hearth's own, or rejects with a `Refusal`. The credential is taken from the
 * header alone, which a page of another origin cannot send.
 */
export async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  segments: ApiRequest['segments'],
  { run, right, isFor }: Pick<ApiRouteEntry, 'run' | 'right' | 'isFor'>,
  backend: HttpBackend,
  {
    maxBodyBytes,
    bodyRoom,
    transport,
  }: Pick<RestOptions & AdmissionOptions, 'maxBodyBytes' | 'bodyRoom' | 'transport'>,
): Promise<void> {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw new Refusal('auth/admin-only');
  const client = clientOf(request, transport);
  const admit = () =>
    admitAdmin(backend, {
      token,
      client,
      right,
      realmOf: (ownProject) => realmOf(segments, isFor, ownProject),
    });
  const admin = await admit();
  const answer = await run({
    backend,
    segments,
    query: parseRequestTarget(request.url).query,
    origin: transport.originOf(request),
    client,
    admin,
    identity: databaseIdentity({}, admin),
    body: bodyOf(request, admit, bodyRoom),
    wantsEvents: asksForEventStream(request.method, request.headers),
    keepOpen: () => void request.socket.setTimeout(0),
    maxBodyBytes,
  });
  return sendAnswer(request, response, answer, nameRequest(COMMON_HEADERS, request));
}

/** Answers one request that nobody has to be known for. */
export async function answerPublicApi(
  request: IncomingMessage,
  response: ServerResponse,
  segments: ApiRequest['segments'],
  run: PublicApiRouteEntry['run'],
  backend: HttpBackend,
  { transport }: Pick<AdmissionOptions, 'transport'>,
): Promise<void> {
  const { query } = parseRequestTarget(request.url);
  const answer = await run({ backend, segments, query, client: clientOf(request, transport) });
  return sendAnswer(request, response, answer, nameRequest(COMMON_HEADERS, request));
}

function clientOf(request: IncomingMessage, transport: Transport): RequestSource {
  return requestSource(request, transport.clientAddressOf(request));
}

/** What a request is about, as its route, its address and who asks say. `ownProject` is `null` for whoever has all. */
function realmOf(
  { database, project }: ApiRequest['segments'],
  isFor: ApiRouteEntry['isFor'],
  ownProject: string | null,
): Realm {
  if (isFor === 'any-project') return ownProject === null ? SERVER : { kind: 'project', id: ownProject };
  if (database !== undefined) return { kind: 'database', name: parseNamespace(database) };
  if (project === undefined) return SERVER;
  return isFor === 'accounts' ? { kind: 'accounts', project } : { kind: 'project', id: project };
}
