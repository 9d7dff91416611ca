import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '../../accounts/fields.ts';
import type { ClientInfo } from '../../accounts/identity-call.ts';
import { IdentityError } from '../../accounts/identity-error.ts';
import type { IdentityServices } from '../../accounts/identity-services.ts';
import type { PrintedJson } from '../../accounts/printed-json.ts';
import type { Logger } from '../../ops/logger.ts';
import { requestIdOf } from '../../ops/request-id.ts';
import type { Headers } from '../answer.ts';
import type { IdentityEndpoint } from '../identity-endpoint.ts';
import { nameToldRequest } from '../request-source.ts';
import { parseRequestTarget } from '../request-target.ts';
import type { Transport } from '../transport.ts';
import type { AdminIdentity, AdminVerifier } from './admin-verifier.ts';
import { clientInfo, headerText } from './client-info.ts';
import { BODY_LIMITS, type BodyLimits, IdentityBodies } from './identity-bodies.ts';
import { describeFailure } from './identity-envelope.ts';
import type { IdentityRoute, MethodRoute, PublicRoute } from './identity-route.ts';
import { type FoundRoute, RouteTable, type Segments } from './match-route.ts';
import { parseFields } from './request-fields.ts';
import { mustBeAdmitted, type ProjectSelection, selectProject } from './select-project.ts';
import { sendJson } from './send-json.ts';
import { tellRefusedAdmin } from './tell-refused-admin.ts';
import { answerTokenExchange, TOKEN_PATH, type TokenExchange } from './token-exchange.ts';
import { tellRefusal } from './told-refusals.ts';
import { nothingThere, wrongMethod } from './transport-error.ts';

export interface IdentityHttpOptions {
  readonly services: IdentityServices;
  readonly admins: AdminVerifier;
  readonly routes: readonly IdentityRoute[];
  readonly logger: Logger;
  readonly transport: Transport;
  /** Gives service accounts access tokens; `null` where there are no such tokens. */
  readonly exchange: TokenExchange | null;
  /** The project of administrators who name none; `null` refuses them. */
  readonly defaultProject: string | null;
  /** Without it, `BODY_LIMITS`. */
  readonly bodyLimits?: BodyLimits;
}

const MAX_BODY_BYTES = 262_144;
const HEADERS: Headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
};
const METHODS = 'GET,POST,PATCH,DELETE,OPTIONS';
const PREFLIGHT_SEC = '7200';
/** When clients are to come back after a request that hit a bug. */
const AFTER_BUG_SEC = 10;

/** The interface of identity over HTTP. */
export class IdentityHttp implements IdentityEndpoint {
  readonly #options: IdentityHttpOptions;
  readonly #routes: RouteTable;
  readonly #bodies: IdentityBodies;

  constructor(options: IdentityHttpOptions) {
    this.#options = options;
    this.#routes = new RouteTable(options.routes);
    this.#bodies = new IdentityBodies(options.bodyLimits ?? BODY_LIMITS);
  }

  async answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (request.method === 'OPTIONS') {
      answerPreflight(request, response);
      return;
    }
    const { exchange } = this.#options;
    try {
      if (path === TOKEN_PATH && exchange !== null) {
        await answerTokenExchange(request, response, exchange, this.#bodies, this.#clientOf(request));
        return;
      }
      const { route, segments } = this.#mustFindRoute(request, path);
      if (route.audience === 'public')
        sendJson(response, 200, this.#publish(request, route, segments), { ...HEADERS, ...route.headers });
      else {
        const json = await this.#run(request, route, segments);
        sendJson(response, 200, json, nameToldRequest(HEADERS, request));
      }
    } catch (error) {
      this.#refuse(error, request, response);
    }
  }

  #mustFindRoute(request: IncomingMessage, path: string): FoundRoute {
    const match = this.#routes.match(request.method ?? '', path);
    if (match.kind === 'unknown') throw nothingThere(path);
    if (match.kind === 'other-method') throw wrongMethod(match.methods);
    if (match.route.audience === 'emulator' && !this.#options.services.isDevelopment)
      throw nothingThere(path);
    return match;
  }

  #publish(request: IncomingMessage, { publish }: PublicRoute, segments: Segments): JsonObject {
    return publish({ segments, origin: this.#options.transport.originOf(request) }, this.#options.services);
  }

  async #run(
    request: IncomingMessage,
    route: MethodRoute,
    segments: Segments,
  ): Promise<JsonObject | PrintedJson> {
    const { services, defaultProject } = this.#options;
    const { query } = parseRequestTarget(request.url);
    const client = this.#clientOf(request);
    const token = bearerTokenOf(request);
    const verify = async (): Promise<AdminIdentity | undefined> =>
      token === undefined ? undefined : this.#verifyAdmin(token, segments, client);
    const early = await verify();
    const { projects } = services;
    const admission = { projects, defaultProject, route, segments, query };
    let hasWaited = false;
    const body = await this.#bodies.read(request, route.maxBodyBytes ?? MAX_BODY_BYTES, () => {
      hasWaited = true;
      this.#tellingRefusal({ admin: early, segments, client }, () =>
        mustBeAdmitted(request, { ...admission, admin: early }),
      );
    });
    // Rights may have been taken back while the body came.
    const admin = hasWaited ? await verify() : early;
    const fields = parseFields(request, query, body);
    const selection = { ...admission, admin, fields };
    const { project, caller } = this.#tellingRefusal({ admin, segments, client }, () =>
      selectProject(request, selection),
    );
    if (project.settings.isDisabled && route.servesDisabled !== true)
      throw new IdentityError('PROJECT_DISABLED');
    // No project here is divided into tenants.
    if (fields.filled('tenantId') !== undefined)
      throw new IdentityError(caller.kind === 'admin' ? 'TENANT_NOT_FOUND' : 'INVALID_TENANT_ID');
    const origin = this.#options.transport.originOf(request);
    const call = { project, caller, client, fields, segments, origin };
    try {
      return await route.run(call, services);
    } catch (error) {
      tellRefusal(services, route.path, call, error);
      throw error;
    }
  }

  /** Tells the audit when an administrator is refused. */
  #tellingRefusal<T>(
    {
      admin,
      segments,
      client,
    }: Pick<ProjectSelection, 'admin' | 'segments'> & { readonly client: ClientInfo },
    decide: () => T,
  ): T {
    try {
      return decide();
    } catch (error) {
      if (admin !== undefined)
        tellRefusedAdmin(this.#options.services, segments['project'], admin.name, client, error);
      throw error;
    }
  }

  #clientOf(request: IncomingMessage): ClientInfo {
    return clientInfo(request, this.#options.transport.clientAddressOf(request));
  }

  async #verifyAdmin(token: string, segments: Segments, client: ClientInfo): Promise<AdminIdentity> {
    const { admins, services } = this.#options;
    try {
      return await admins.verify(token);
    } catch (error) {
      tellRefusedAdmin(services, segments['project'], 'unknown', client, error);
      throw error;
    }
  }

  #refuse(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    // Nobody is there any more to be told.
    if (response.destroyed || response.headersSent) {
      response.destroy();
      return;
    }
    const failure = describeFailure(error);
    switch (failure.kind) {
      case 'refused':
        sendJson(response, failure.status, failure.json, nameToldRequest(HEADERS, request));
        return;
      case 'unavailable':
        sendUnavailable(request, response, failure.retryAfterSec);
        return;
      case 'unexpected': {
        const [path] = (request.url ?? '').split('?', 1);
        this.#options.logger.error(
          { err: error, method: request.method, path, requestId: requestIdOf(request) },
          'a request of identity failed unexpectedly',
        );
        sendUnavailable(request, response, AFTER_BUG_SEC);
        return;
      }
      default:
        failure satisfies never;
    }
  }
}

/** Says that the server cannot answer now, in a way that keeps clients signed in. */
export function sendUnavailable(
  request: IncomingMessage,
  response: ServerResponse,
  retryAfterSec: number,
): void {
  response.writeHead(503, {
    ...nameToldRequest(HEADERS, request),
    'content-type': 'text/plain; charset=utf-8',
    'retry-after': String(retryAfterSec),
  });
  response.end('The service is not available for a moment. Try again.\n');
}

function bearerTokenOf({ headers }: IncomingMessage): string | undefined {
  const { authorization } = headers;
  return authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}

function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const asked = headerText(request, 'access-control-request-headers');
  const isPrivate = headerText(request, 'access-control-request-private-network') === 'true';
  response.writeHead(204, {
    ...HEADERS,
    'access-control-allow-methods': METHODS,
    ...(asked === undefined ? {} : { 'access-control-allow-headers': asked }),
    'access-control-max-age': PREFLIGHT_SEC,
    ...(isPrivate ? { 'access-control-allow-private-network': 'true' } : {}),
  });
  response.end();
}
