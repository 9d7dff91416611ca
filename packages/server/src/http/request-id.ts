import type { IncomingMessage } from 'node:http';
import { uuid } from '../platform/random.ts';

/**
 * The id is stored on the request object. A separate map costs three times as much as all other work of
 * assigning an id.
 */
const ID = Symbol('request id');

interface WithRequestId {
  [ID]?: string;
}

/**
 * Returns the id of a request, as used in the response, the log and the audit log. It is the same UUID in
 * every call.
 */
export function requestIdOf(request: IncomingMessage): string {
  const named = request as IncomingMessage & WithRequestId;
  named[ID] ??= uuid();
  return named[ID];
}

/** Returns the id of a request if `requestIdOf` has assigned one. */
export function findRequestId(request: IncomingMessage): string | undefined {
  return (request as IncomingMessage & WithRequestId)[ID];
}
