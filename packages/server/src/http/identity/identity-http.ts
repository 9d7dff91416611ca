import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '../../accounts/fields.ts';
import { IdentityError } from '../../accounts/identity-error.ts';
import type { IdentityServices } from '../../accounts/identity-services.ts';
import type { Logger } from '../../ops/logger.ts';
import type { Headers } from '../answer.ts';
import type { IdentityEndpoint } from '../identity-endpoint.ts';
import { parseRequestTarget } from '../request-target.ts';
import type { AdminIdentity, AdminVerifier } from './admin-verifier.ts';
import { clientInfo, headerText, originOf } from './client-info.ts';
import { describeFailure } from './identity-envelope.ts';
import type { IdentityRoute } from './identity-route.ts';
import { RouteTable } from './match-route.ts';
import { readFields } from './request-fields.ts';
import { selectProject } from './select-project.ts';
import { nothingThere, wrongMethod } from './transport-error.ts';

export interface IdentityHttpOptions {
  readonly services: IdentityServices;
  readonly admins: AdminVerifier;
  readonly routes: readonly IdentityRoute[];
  readonly logger: Logger;
  /** The project of administrators who name none; `null` refuses them. */
  readonly defaultProject: string | null;
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

  constructor(options: IdentityHttpOptions) {
    this.#options = options;
    this.#routes = new RouteTable(options.routes);
  }

  async answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (request.method === 'OPTIONS') {
      answerPreflight(request, response);
      return;
    }
    try {
      sendJson(response, 200, await this.#run(request, path));
    } catch (error) {
      this.#refuse(error, request, response);
    }
  }

  async #run(request: IncomingMessage, path: string): Promise<JsonObject> {
    const match = this.#routes.match(request.method ?? '', path);
    if (match.kind === 'unknown') throw nothingThere(path);
    if (match.kind === 'other-method') throw wrongMethod(match.methods);
    const { route, segments } = match;
    const { services, defaultProject } = this.#options;
    const { query } = parseRequestTarget(request.url);
    const admin = await this.#findAdmin(request);
    const fields = await readFields(request, query, route.maxBodyBytes ?? MAX_BODY_BYTES);
    const { project, caller } = selectProject(request, {
      projects: services.projects,
      defaultProject,
      route,
      segments,
      query,
      fields,
      admin,
    });
    if (project.settings.isDisabled && route.servesDisabled !== true)
      throw new IdentityError('PROJECT_DISABLED');
    // No project here is divided into tenants.
    if (fields.filled('tenantId') !== undefined)
      throw new IdentityError(caller.kind === 'admin' ? 'TENANT_NOT_FOUND' : 'INVALID_TENANT_ID');
    const client = clientInfo(request);
    return route.run({ project, caller, client, fields, segments, origin: originOf(request) }, services);
  }

  #findAdmin(request: IncomingMessage): Promise<AdminIdentity | undefined> {
    const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    return token === undefined ? Promise.resolve(undefined) : this.#options.admins.verify(token);
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
        sendJson(response, failure.status, failure.json);
        return;
      case 'unavailable':
        sendUnavailable(response, failure.retryAfterSec);
        return;
      case 'unexpected': {
        const [path] = (request.url ?? '').split('?', 1);
        this.#options.logger.error(
          { err: error, method: request.method, path },
          'a request of identity failed unexpectedly',
        );
        sendUnavailable(response, AFTER_BUG_SEC);
        return;
      }
      default:
        failure satisfies never;
    }
  }
}

/** Says that the server cannot answer now, in a way that keeps clients signed in. */
export function sendUnavailable(response: ServerResponse, retryAfterSec: number): void {
  response.writeHead(503, {
    ...HEADERS,
    'content-type': 'text/plain; charset=utf-8',
    'retry-after': String(retryAfterSec),
  });
  response.end('The service is not available for a moment. Try again.\n');
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

function sendJson(response: ServerResponse, status: number, json: JsonObject): void {
  const body = Buffer.from(JSON.stringify(json));
  response.writeHead(status, {
    ...HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
  });
  response.end(body);
}
