import type { IncomingHttpHeaders } from 'node:http';

/** Does a request ask for a stream of events? Only `GET` can be answered with one. */
export function asksForEventStream(
  method: string | undefined,
  { accept = '' }: IncomingHttpHeaders,
): boolean {
  return method === 'GET' && accept !== '' && accept.split(',').some(isEventStreamType);
}

function isEventStreamType(mediaType: string): boolean {
  return mediaType.split(';', 1).join('').trim().toLowerCase() === 'text/event-stream';
}
