import type { IncomingMessage } from 'node:http';
import { isCoverageUrl } from '../realtime/rest/coverage.ts';
import { isDataPathname } from '../realtime/rest/request.ts';
import { consolePathOf } from '../site/console-path.ts';
import { hostedPathOf } from '../site/hosted-pages.ts';

/** Paths that can end like data paths but are not data: pages, token keys, and URLs for developers. */
const RESERVED = /^\/(?:\.|__\/|emulator\/)/;

/** Returns whether a request is for data, not for a page. */
export function isDataRequest(request: Pick<IncomingMessage, 'url' | 'method' | 'headers'>): boolean {
  const { url = '/' } = request;
  const mark = url.indexOf('?');
  if (!isDataPathname(mark === -1 ? url : url.slice(0, mark))) return false;
  if (url.startsWith('/console/')) return !isConsoleNavigation(request);
  return (
    !RESERVED.test(url) ||
    (!isCoverageUrl(url) &&
      hostedPathOf(url) === undefined &&
      // Keys of a tree contain no dot, and the token keys are published at this path.
      !url.startsWith('/.well-known/'))
  );
}

/**
 * Returns whether a browser navigates to the console without naming a database. A tree may have a node
 * `console` too.
 */
function isConsoleNavigation({ url = '/', method, headers }: Parameters<typeof isDataRequest>[0]): boolean {
  return (
    consolePathOf(url) !== undefined &&
    (method === 'GET' || method === 'HEAD') &&
    (headers.accept ?? '').includes('text/html') &&
    !/[?&]ns=/.test(url)
  );
}
