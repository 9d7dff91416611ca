import type { IncomingHttpHeaders } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';

/** The two halves of a request's address. */
export interface RequestTarget {
  /** Before the question mark, still percent-encoded; begins with `/`. */
  readonly pathname: string;
  readonly query: URLSearchParams;
}

/** Reads the address of a request line: `/a/b.json?ns=demo`, and nothing that names another server. */
export function parseRequestTarget(url: string | undefined): RequestTarget {
  if (url === undefined || !url.startsWith('/'))
    throw new RequestError('request/malformed', 'The address of a request begins with "/".');
  const mark = url.indexOf('?');
  return mark === -1
    ? { pathname: url, query: new URLSearchParams() }
    : { pathname: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}

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
