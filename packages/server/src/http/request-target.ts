import type { IncomingHttpHeaders } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';

/** The path and the query of a request's URL. */
export interface RequestTarget {
  /** The part before the question mark, still percent-encoded. Begins with `/`. */
  readonly pathname: string;
  readonly query: URLSearchParams;
}

/**
 * Parses the URL of a request line, such as `/a/b.json?ns=demo`. Throws `request/malformed` if the URL does
 * not begin with `/`, for example because it names another server.
 */
export function parseRequestTarget(url: string | undefined): RequestTarget {
  if (url === undefined || !url.startsWith('/'))
    throw new RequestError('request/malformed', 'The URL of a request must begin with "/".');
  const mark = url.indexOf('?');
  return mark === -1
    ? { pathname: url, query: new URLSearchParams() }
    : { pathname: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}

/** Returns whether a request asks for an event stream. Only a `GET` request can be answered with one. */
export function asksForEventStream(
  method: string | undefined,
  { accept = '' }: IncomingHttpHeaders,
): boolean {
  return method === 'GET' && accept !== '' && accept.split(',').some(isEventStreamType);
}

function isEventStreamType(mediaType: string): boolean {
  return mediaType.split(';', 1).join('').trim().toLowerCase() === 'text/event-stream';
}
