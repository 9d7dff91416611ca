import type { Area, AreaPolicy } from '../../http/area.ts';
import { PUBLIC_HEADERS } from '../../http/errors.ts';
import type { AuthApiHttp } from './handler.ts';
import { sendUnavailable } from './responses.ts';
import { authApiPathOf } from './routes.ts';

/** Time after which clients should retry while the server starts or stops, in s. */
const RETRY_AFTER_SEC = 5;

/**
 * Returns the HTTP policy of the Auth API. The `Host` header of a request may be one of `hosts`, or a name that the
 * whole server accepts.
 */
export function authApiPolicy(hosts: readonly string[]): AreaPolicy {
  return {
    owns: ({ url = '' }) => authApiPathOf(url) !== undefined,
    headers: PUBLIC_HEADERS,
    hosts,
    answerUnavailable: (request, response) => sendUnavailable(request, response, RETRY_AFTER_SEC),
  };
}

/** Returns the HTTP area of the Auth API. */
export function authApiArea(policy: AreaPolicy, authApi: Pick<AuthApiHttp, 'answer'>): Area {
  return {
    policy,
    errors: { headers: PUBLIC_HEADERS },
    answer: (request, response) => authApi.answer(request, response, authApiPathOf(request.url ?? '') ?? ''),
  };
}
