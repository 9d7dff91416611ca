import type { Area } from '../../http/area.ts';
import { PUBLIC_HEADERS } from '../../http/errors.ts';
import { parseRequestTarget } from '../../http/request-target.ts';
import { pathPolicy } from '../../http/routed-area.ts';
import { findNamespace } from '../rest/namespace.ts';
import type { LongPollService } from './long-poll.ts';

/** Owns `GET` and `POST /.lp`. */
export const LONG_POLL_POLICY = pathPolicy(
  (path, method) => path === '/.lp' && (method === 'GET' || method === 'POST'),
  PUBLIC_HEADERS,
);

/**
 * Returns the area that passes the requests of polling clients to the service. A poll is answered when there
 * are messages.
 */
export function longPollArea(
  longPolls: Pick<LongPollService, 'answer'>,
  defaultNamespace: string | null,
): Area {
  return {
    policy: LONG_POLL_POLICY,
    errors: { headers: PUBLIC_HEADERS },
    answer(request, response) {
      const { query } = parseRequestTarget(request.url);
      const namespace = findNamespace(request.headers.host, query) ?? defaultNamespace;
      longPolls.answer(request, response, namespace, query);
    },
  };
}
