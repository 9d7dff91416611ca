import type { IncomingMessage } from 'node:http';
import { requestId } from '../platform/random.ts';

/** Kept at the request, because a map beside it costs three times as much as all else that it takes to name one. */
const ID = Symbol('request id');

interface Named {
  [ID]?: string;
}

/** What a request is called in its answer, in the log and in the audit: always the same UUID. */
export function requestIdOf(request: IncomingMessage): string {
  const named = request as IncomingMessage & Named;
  named[ID] ??= requestId();
  return named[ID];
}

/** The same, if anybody has asked for it. */
export function findRequestId(request: IncomingMessage): string | undefined {
  return (request as IncomingMessage & Named)[ID];
}
