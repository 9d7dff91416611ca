import type { Area, AreaPolicy } from '../../http/area.ts';
import { PUBLIC_HEADERS } from '../../http/errors.ts';
import { type AuthApiHttp, sendUnavailable } from './handler.ts';
import { identityPathOf } from './routes.ts';

/** When clients ask again that meet a server which starts or ends. */
const RETRY_AFTER_SEC = 5;

/** Returns the policy of the interface of identity. `hosts` are names that requests to it may be for as well. */
export function authApiPolicy(hosts: readonly string[]): AreaPolicy {
  return {
    owns: ({ url = '' }) => identityPathOf(url) !== undefined,
    headers: PUBLIC_HEADERS,
    hosts,
    answerUnavailable: (request, response) => sendUnavailable(request, response, RETRY_AFTER_SEC),
  };
}

/** Returns the area of the interface of identity. */
export function identityArea(policy: AreaPolicy, identity: Pick<AuthApiHttp, 'answer'>): Area {
  return {
    policy,
    errors: { headers: PUBLIC_HEADERS },
    answer: (request, response) =>
      identity.answer(request, response, identityPathOf(request.url ?? '') ?? ''),
  };
}
