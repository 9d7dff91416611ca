import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { AuthApiError, AuthOverload } from '../auth/errors.ts';
import type { Area, AreaPolicy } from '../http/area.ts';
import {
  COMMON_HEADERS,
  type ErrorReason,
  type ErrorStyle,
  MalformedRequest,
  PUBLIC_HEADERS,
  reasonOf,
} from '../http/errors.ts';
import { answerNotFound, sendText } from '../http/not-found.ts';
import { withRequestId } from '../http/request-source.ts';
import { sendAnswer } from '../http/response.ts';
import { type AreaRoute, pathPolicy, routedArea } from '../http/routed-area.ts';
import { type ActivityServices, isLocalRequest, readMetrics } from './activity.ts';
import type { GateServices } from './gate.ts';
import { answerOwner, answerSetupPage, type OwnerSetup } from './owner.ts';
import type { ApiRoute, PublicApiRoute } from './request.ts';
import { type AdminApiOptions, AdminApiRouter } from './router.ts';

/** The path that receives the form of the setup page. */
const OWNER_PATH = '/api/owner';

/** Returns whether the URL of a request is below `/api`. */
function isApiUrl(url: string): boolean {
  return /^\/api(?:[/?]|$)/.test(url);
}

/** Returns whether the error response of a request has a code. Only errors of the admin API have one. */
export function hasErrorCode({ url = '' }: IncomingMessage): boolean {
  return isApiUrl(url);
}

/** The policies of the areas for administrators, in any order. */
export const ADMIN_API_POLICIES = {
  metrics: pathPolicy((path, method) => path === '/metrics' && method === 'GET', PUBLIC_HEADERS),
  setup: pathPolicy((path, method) => path === '/console/setup' && method === 'GET', PUBLIC_HEADERS),
  owner: pathPolicy((path, method) => path === OWNER_PATH && method === 'POST', COMMON_HEADERS),
  management: pathPolicy((path) => /^\/(?:v1beta1?\/projects|namespaces)\//.test(path), PUBLIC_HEADERS),
} as const satisfies Readonly<Record<string, AreaPolicy>>;

/** Owns every path of `/api` that no policy above owns. */
export const API_POLICY = pathPolicy((path) => path === '/api' || path.startsWith('/api/'), COMMON_HEADERS);

export interface AdminAreaServices extends ActivityServices, GateServices {
  /** `null` in development mode, which needs no owner. */
  readonly setUpOwner: OwnerSetup | null;
}

export interface AdminAreaRoutes {
  readonly api: readonly ApiRoute[];
  readonly public: readonly PublicApiRoute[];
  readonly management: readonly ApiRoute[];
}

/** Returns the areas of `ADMIN_API_POLICIES` and `API_POLICY`. */
export function adminApiAreas(
  services: AdminAreaServices,
  routes: AdminAreaRoutes,
  options: AdminApiOptions,
): readonly Area[] {
  const { transport } = options;
  const router = new AdminApiRouter(services, options);
  const errors: ErrorStyle = {
    headers: COMMON_HEADERS,
    showsCode: hasErrorCode,
    find: findAuthReason,
  };
  const toAreaRoute = (route: ApiRoute): AreaRoute => ({
    ...route,
    answer: (request, response, segments) => router.answer(request, response, segments, route),
  });
  return [
    {
      policy: ADMIN_API_POLICIES.metrics,
      errors,
      answer: async (request, response) =>
        !transport.mayBeProxied && isLocalRequest(request)
          ? sendAnswer(request, response, readMetrics(services), COMMON_HEADERS)
          : router.answer(request, response, {}, { run: async () => readMetrics(services), right: 'read' }),
    },
    {
      policy: ADMIN_API_POLICIES.setup,
      errors,
      async answer(request, response) {
        requireSetup(services.setUpOwner);
        return answerSetupPage(request, response);
      },
    },
    {
      policy: ADMIN_API_POLICIES.owner,
      errors,
      async answer(request, response) {
        // The setup page posts its form to the path without a query. With a query, the body is read as JSON.
        if (request.url !== OWNER_PATH) delete request.headers['content-type'];
        requireMediaType(request);
        const setUp = requireSetup(services.setUpOwner);
        return answerOwner(request, response, setUp, transport.clientAddressOf(request));
      },
    },
    routedArea({
      policy: ADMIN_API_POLICIES.management,
      errors,
      routes: routes.management.map(toAreaRoute),
      namesMethods: false,
      answerNotFound: (request, response) => answerNotFound(request, response, PUBLIC_HEADERS),
    }),
    routedArea({
      policy: API_POLICY,
      errors,
      routes: [
        ...routes.api.map(toAreaRoute),
        ...routes.public.map(
          (route): AreaRoute => ({
            ...route,
            answer: (request, response, segments) => router.answerPublic(request, response, segments, route),
          }),
        ),
      ],
      namesMethods: true,
      answerNotFound: answerApiNotFound,
    }),
  ];
}

function findAuthReason(error: unknown): ErrorReason | undefined {
  if (error instanceof AuthApiError) return { status: error.http, text: error.message, code: error.code };
  return error instanceof AuthOverload ? reasonOf('request/overload') : undefined;
}

/** Sends the 404 response, as JSON if the URL is below `/api`. */
function answerApiNotFound(request: IncomingMessage, response: ServerResponse): void {
  if (!isApiUrl(request.url ?? '')) {
    answerNotFound(request, response, PUBLIC_HEADERS);
    return;
  }
  const { status, text, code } = reasonOf('http/not-found');
  const headers = {
    ...withRequestId(COMMON_HEADERS, request),
    'content-type': 'application/json; charset=utf-8',
  };
  sendText(response, status, headers, JSON.stringify({ error: text, code }));
}

const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** Throws a `MalformedRequest` with status 415 if the `Content-Type` of a request is not a media type. */
function requireMediaType({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  if (type !== undefined && !MEDIA_TYPE.test(type)) throw new MalformedRequest(415);
}

function requireSetup(setUp: OwnerSetup | null): OwnerSetup {
  if (setUp === null) throw new RequestError('http/not-found');
  return setUp;
}
