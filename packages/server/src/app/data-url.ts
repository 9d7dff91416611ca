import type { IncomingMessage } from 'node:http';
import { isCoverageUrl } from '../realtime/rest/coverage.ts';
import { isDataPathname } from '../realtime/rest/request.ts';
import { consolePathOf } from '../site/console-path.ts';
import { hostedPathOf } from '../site/hosted-pages.ts';

/** What may end like data and be something else: pages, keys of tokens, and what is there for developers. */
const RESERVED = /^\/(?:\.|__\/|emulator\/)/;

/** Is a request about data, as opposed to a page? */
export function isDataRequest(request: Pick<IncomingMessage, 'url' | 'method' | 'headers'>): boolean {
  const { url = '/' } = request;
  const mark = url.indexOf('?');
  if (!isDataPathname(mark === -1 ? url : url.slice(0, mark))) return false;
  if (url.startsWith('/console/')) return !isForConsole(request);
  return (
    !RESERVED.test(url) ||
    (!isCoverageUrl(url) &&
      hostedPathOf(url) === undefined &&
      // No key of a tree has a dot, and the keys of tokens are published there.
      !url.startsWith('/.well-known/'))
  );
}

/** A browser that is led there, and names no database: a tree may have a node `console` as well. */
function isForConsole({ url = '/', method, headers }: Parameters<typeof isDataRequest>[0]): boolean {
  return (
    consolePathOf(url) !== undefined &&
    (method === 'GET' || method === 'HEAD') &&
    (headers.accept ?? '').includes('text/html') &&
    !/[?&]ns=/.test(url)
  );
}
