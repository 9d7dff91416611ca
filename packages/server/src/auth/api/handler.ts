import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from '../../http/request-id.ts';
import { parseRequestTarget } from '../../http/request-target.ts';
import { type FoundRoute, RouteTable, type Segments } from '../../http/route-table.ts';
import type { Transport } from '../../http/transport.ts';
import type { Logger } from '../../platform/logger.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { formatPageCookie, readPageCookie } from '../hosted/page-cookie.ts';
import { type AuthRequest, type ClientInfo, isOfPage, PageAnswer, type PrintedJson } from '../request.ts';
import type { AdminCaller, AdminVerifier } from '../roles/administrators.ts';
import type { AuthServices } from '../services.ts';
import { selectTenant } from '../tenants/select.ts';
import { auditRejectedAdmin, auditRejection } from './audited-errors.ts';
import { AuthApiBodies, type AuthApiBodiesOptions, parseFields } from './body.ts';
import { clientInfo, headerText } from './client-info.ts';
import { describeFailure, sendJson, unknownPath, wrongMethod } from './error-response.ts';
import { answerPreflight, HEADERS, headersFor, sendText, sendUnavailable } from './responses.ts';
import type { AuthApiRoute, MethodRoute, PublicJson, PublicRoute } from './router.ts';
import { type ProjectSelection, requireAdmitted, requireServed, selectProject } from './select-project.ts';
import { answerTokenExchange, TOKEN_PATH, type TokenExchange } from './token-exchange.ts';

export interface AuthApiHttpOptions {
  readonly services: AuthServices;
  readonly admins: AdminVerifier;
  readonly routes: readonly AuthApiRoute[];
  readonly logger: Logger;
  readonly transport: Transport;
  /** Issues access tokens to service accounts; `null` if this mode has no such tokens. */
  readonly exchange: TokenExchange | null;
  /** The project for administrators who name none; `null` rejects their requests. */
  readonly defaultProject: string | null;
  readonly bodies: AuthApiBodiesOptions;
}

const MAX_BODY_BYTES = 262_144;

/** Time until clients should retry a request that failed because of a bug, in s. */
const AFTER_BUG_SEC = 10;

/** Serves the Auth API over HTTP. */
export class AuthApiHttp {
  readonly #options: AuthApiHttpOptions;
  readonly #routes: RouteTable<AuthApiRoute>;
  readonly #bodies: AuthApiBodies;

  constructor(options: AuthApiHttpOptions) {
    this.#options = options;
    this.#routes = new RouteTable(options.routes);
    this.#bodies = new AuthApiBodies(options.bodies);
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
      const { route, segments } = this.#requireRoute(request, path);
      if (route.audience === 'public')
        sendJson(response, 200, this.#publish(request, route, segments), { ...HEADERS, ...route.headers });
      else {
        const json = await this.#run(request, response, route, segments);
        sendJson(response, 200, json, headersFor(request));
      }
    } catch (error) {
      this.#reject(error, request, response);
    }
  }

  #requireRoute(request: IncomingMessage, path: string): FoundRoute<AuthApiRoute> {
    const match = this.#routes.match(request.method ?? '', path);
    if (match.kind === 'other-method') throw wrongMethod(match.methods);
    if (match.kind !== 'found') throw unknownPath(path);
    if (match.route.audience === 'emulator' && !this.#options.services.isDevelopment) throw unknownPath(path);
    return match;
  }

  #publish(request: IncomingMessage, { publish }: PublicRoute, segments: Segments): PublicJson {
    return publish({ segments, origin: this.#options.transport.originOf(request) }, this.#options.services);
  }

  async #run(
    request: IncomingMessage,
    response: ServerResponse,
    route: MethodRoute,
    segments: Segments,
  ): Promise<JsonObject | PrintedJson> {
    const { services, defaultProject, transport } = this.#options;
    const { query } = parseRequestTarget(request.url);
    const client = this.#clientOf(request);
    const token = bearerTokenOf(request);
    const verify = async (): Promise<AdminCaller | undefined> =>
      token === undefined ? undefined : this.#verifyAdmin(token, segments, client);
    const early = await verify();
    const { projects } = services;
    const admission = { projects, defaultProject, route, segments, query };
    let wasBodyAwaited = false;
    const body = await this.#bodies.read(request, route.maxBodyBytes ?? MAX_BODY_BYTES, () => {
      wasBodyAwaited = true;
      this.#auditingRejection({ admin: early, segments, client }, () =>
        requireAdmitted(request, { ...admission, admin: early }),
      );
    });
    // Rights may have been revoked while the body arrived.
    const admin = wasBodyAwaited ? await verify() : early;
    const fields = parseFields(request, query, body);
    const selection = { ...admission, admin, fields };
    const call = this.#auditingRejection({ admin, segments, client }, () => {
      const selected = {
        ...selectProject(request, selection),
        ...{ client, fields, segments, origin: transport.originOf(request) },
        appCheckToken: headerText(request, 'x-firebase-appcheck'),
      };
      return { ...selected, project: this.#selectTenant(selected, route) };
    });
    const { project } = call;
    await requireServed(call, services, route);
    try {
      if (route.isOfPage !== true) return jsonOf(await route.run(call, services));
      requireOwnPage(call);
      const pageCookie = readPageCookie(request, project, transport.isSecure);
      const answer = await route.run({ ...call, pageCookie }, services);
      if (answer instanceof PageAnswer)
        response.setHeader('set-cookie', formatPageCookie(project, transport.isSecure, answer.cookie));
      return jsonOf(answer);
    } catch (error) {
      auditRejection(services, route.path, call, error);
      throw error;
    }
  }

  /** Returns the project of a request as its tenant changes it. If it rejects an app, records that in the audit log. */
  #selectTenant(call: AuthRequest, { path, isOfProject }: MethodRoute): AuthRequest['project'] {
    const { services } = this.#options;
    try {
      return selectTenant({ ...call, isOfProject: isOfProject === true }, services);
    } catch (error) {
      if (call.caller.kind === 'app') auditRejection(services, path, call, error);
      throw error;
    }
  }

  /** Runs a check, and records its error in the audit log if it rejects an administrator. */
  #auditingRejection<T>(
    {
      admin,
      segments,
      client,
    }: Pick<ProjectSelection, 'admin' | 'segments'> & { readonly client: ClientInfo },
    check: () => T,
  ): T {
    try {
      return check();
    } catch (error) {
      if (admin !== undefined)
        auditRejectedAdmin(this.#options.services, segments['project'], admin.name, client, error);
      throw error;
    }
  }

  #clientOf(request: IncomingMessage): ClientInfo {
    const { clientAddressOf, networkOfClient } = this.#options.transport;
    return clientInfo(request, clientAddressOf(request), networkOfClient(request));
  }

  async #verifyAdmin(token: string, segments: Segments, client: ClientInfo): Promise<AdminCaller> {
    const { admins, services } = this.#options;
    try {
      return await admins.verify(token);
    } catch (error) {
      auditRejectedAdmin(services, segments['project'], 'unknown', client, error);
      throw error;
    }
  }

  #reject(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    // The client has disconnected, or the response has already started.
    if (response.destroyed || response.headersSent) {
      response.destroy();
      return;
    }
    const failure = describeFailure(error);
    switch (failure.kind) {
      case 'rejected':
        sendJson(response, failure.status, failure.json, headersFor(request));
        return;
      case 'unavailable':
        sendUnavailable(request, response, failure.retryAfterSec, failure.status);
        return;
      case 'app-check':
        sendText(request, response, failure.status, failure.text);
        return;
      case 'unexpected': {
        const [path] = (request.url ?? '').split('?', 1);
        this.#options.logger.error(
          { err: error, method: request.method, path, requestId: requestIdOf(request) },
          'a request to the Auth API failed unexpectedly',
        );
        sendUnavailable(request, response, AFTER_BUG_SEC);
        return;
      }
      default:
        failure satisfies never;
    }
  }
}

function jsonOf(answer: JsonObject | PrintedJson | PageAnswer): JsonObject | PrintedJson {
  return answer instanceof PageAnswer ? answer.json : answer;
}

/** Throws unless a page of this server makes a request. Browsers name the origin of the page, and no page can change it. */
function requireOwnPage(call: AuthRequest): void {
  if (!isOfPage(call))
    throw new AuthApiError(
      'INSUFFICIENT_PERMISSION',
      'Only the hosted pages of this server may call this method.',
    );
}

function bearerTokenOf({ headers }: IncomingMessage): string | undefined {
  const { authorization } = headers;
  return authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}
