import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Area, AreaPolicy } from '../../http/area.ts';
import { PUBLIC_HEADERS } from '../../http/errors.ts';
import { sendText } from '../../http/not-found.ts';
import { answerRest, type RestOptions, type RestServices } from './router.ts';

const ERRORS = { headers: PUBLIC_HEADERS };

/** Returns the policy of requests for data. `isData` decides whether a request is for data or for a page. */
export function dataPolicy(isData: AreaPolicy['owns']): AreaPolicy {
  return { owns: (request) => request.method !== 'OPTIONS' && isData(request), headers: PUBLIC_HEADERS };
}

/**
 * Returns the policy of preflight requests, with which browsers check whether a page may send a request for
 * data.
 */
export function preflightPolicy(isData: AreaPolicy['owns']): AreaPolicy {
  return { owns: (request) => request.method === 'OPTIONS' && isData(request), headers: PUBLIC_HEADERS };
}

/** Returns the area that answers requests for data and settings. */
export function dataArea(policy: AreaPolicy, services: RestServices, options: RestOptions): Area {
  return {
    policy,
    errors: ERRORS,
    answer: (request, response) => answerRest(request, response, services, options),
  };
}

const METHODS = 'GET, PUT, POST, PATCH, DELETE, OPTIONS, HEAD';
const HEADERS =
  'Authorization, Content-Type, X-Firebase-ETag, If-Match, X-HTTP-Method-Override, X-Firebase-AppCheck';
const MAX_AGE_SEC = '3600';

/**
 * Returns the area that allows pages of any origin to use REST. Requests of pages of other origins carry no
 * cookies of this server.
 */
export function preflightArea(policy: AreaPolicy): Area {
  return { policy, errors: ERRORS, answer: answerPreflight };
}

async function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const isPrivate = headers['access-control-request-private-network'] === 'true';
  const answerHeaders = {
    ...PUBLIC_HEADERS,
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': headers['access-control-request-headers'] ?? HEADERS,
    'access-control-max-age': MAX_AGE_SEC,
    ...(isPrivate ? { 'access-control-allow-private-network': 'true' } : {}),
    'content-type': 'text/plain; charset=utf-8',
  };
  sendText(response, 200, answerHeaders, '');
}
