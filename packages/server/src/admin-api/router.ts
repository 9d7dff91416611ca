import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { granteeOf } from '../access/principal.ts';
import { databasePrincipal, type Resource } from '../auth/roles/rights.ts';
import type { BodyBudget } from '../http/body-budget.ts';
import { COMMON_HEADERS } from '../http/errors.ts';
import { bodyOf } from '../http/request-body.ts';
import { type RequestSource, requestSource, withRequestId } from '../http/request-source.ts';
import { asksForEventStream, parseRequestTarget } from '../http/request-target.ts';
import { sendAnswer } from '../http/response.ts';
import type { Segments } from '../http/route-table.ts';
import type { Transport } from '../http/transport.ts';
import { parseNamespace } from '../realtime/rest/namespace.ts';
import { admitAdmin, type GateServices } from './gate.ts';
import type { ApiRoute, PublicApiRoute } from './request.ts';

const SERVER: Resource = { kind: 'server' };

export interface AdminApiOptions {
  readonly transport: Transport;
  /** Longest body that the server reads into memory, in bytes. */
  readonly maxBodyBytes: number;
  readonly bodyBudget: BodyBudget;
}

/** Authorizes requests to the admin API and runs their routes. */
export class AdminApiRouter {
  readonly #gate: GateServices;
  readonly #options: AdminApiOptions;

  constructor(gate: GateServices, options: AdminApiOptions) {
    this.#gate = gate;
    this.#options = options;
  }

  /**
   * Answers one request, or rejects with a `RequestError`. Reads the credential only from the header, which a
   * page of another origin cannot set.
   */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    segments: Segments,
    { run, right, isFor }: Pick<ApiRoute, 'run' | 'right' | 'isFor'>,
  ): Promise<void> {
    const { maxBodyBytes, bodyBudget, transport } = this.#options;
    const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw new RequestError('auth/admin-only');
    const client = this.#clientOf(request);
    const admit = () =>
      admitAdmin(this.#gate, {
        token,
        client,
        right,
        resourceOf: (ownProject) => resourceOf(segments, isFor, ownProject),
      });
    const admin = await admit();
    const answer = await run({
      segments,
      query: parseRequestTarget(request.url).query,
      origin: transport.originOf(request),
      client,
      admin,
      identity: databasePrincipal({}, admin),
      holder: {
        network: transport.networkOfClient(request),
        isPrivileged: false,
        identity: granteeOf(admin.grant),
      },
      body: bodyOf(request, admit, bodyBudget.of(request, true)),
      wantsEvents: asksForEventStream(request.method, request.headers),
      keepOpen: () => void request.socket.setTimeout(0),
      maxBodyBytes,
    });
    return sendAnswer(request, response, answer, withRequestId(COMMON_HEADERS, request));
  }

  /** Answers one request that needs no credential. */
  async answerPublic(
    request: IncomingMessage,
    response: ServerResponse,
    segments: Segments,
    { run }: Pick<PublicApiRoute, 'run'>,
  ): Promise<void> {
    const { query } = parseRequestTarget(request.url);
    const answer = await run({ segments, query, client: this.#clientOf(request) });
    return sendAnswer(request, response, answer, withRequestId(COMMON_HEADERS, request));
  }

  #clientOf(request: IncomingMessage): RequestSource {
    return requestSource(request, this.#options.transport.clientAddressOf(request));
  }
}

/**
 * Returns the resource of a request. It depends on the route, the URL and the caller. `ownProject` is the
 * only project of the caller, or `null` if the caller has all projects.
 */
function resourceOf(
  { database, project }: Segments,
  isFor: ApiRoute['isFor'],
  ownProject: string | null,
): Resource {
  if (isFor === 'any-project') return ownProject === null ? SERVER : { kind: 'project', id: ownProject };
  if (database !== undefined) return { kind: 'database', name: parseNamespace(database) };
  if (project === undefined) return SERVER;
  return isFor === 'accounts' ? { kind: 'accounts', project } : { kind: 'project', id: project };
}
