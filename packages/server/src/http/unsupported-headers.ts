import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '@hearth/core/fault/refusal.ts';

/**
 * Refuses headers that would otherwise be ignored although the client relies on them: a conditional write that is
 * carried out unconditionally loses data.
 */
export function refuseUnsupportedHeaders(headers: IncomingHttpHeaders): void {
  for (const name of ['if-match', 'x-firebase-etag'])
    if (headers[name] !== undefined) throw unsupported(`The header ${name}`);
  if (headers.accept?.includes('text/event-stream') === true) throw unsupported('Streaming');
}

function unsupported(what: string): Refusal {
  return new Refusal('http/parameter', `${what} is not supported over REST yet: use a connected client.`);
}
