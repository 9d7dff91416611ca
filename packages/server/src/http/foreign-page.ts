import type { IncomingHttpHeaders } from 'node:http';
import { isLocalHost } from './host-guard.ts';

type PageHeaders = Pick<IncomingHttpHeaders, 'origin' | 'referer' | 'sec-fetch-mode' | 'sec-fetch-site'>;

/**
 * The origin of a web page from elsewhere that a request is for, as far as browsers tell; `undefined` for pages of this machine and
 * of hosts that are allowed, for people who follow a link, and for programs that are no browsers. Any page that somebody looks
 * at can send requests to their own machine.
 */
export function findForeignPage(headers: PageHeaders, allowedNames: readonly string[]): string | undefined {
  const { origin, referer } = headers;
  if (origin !== undefined) return isAllowed(origin, allowedNames) ? undefined : origin;
  const isOfOtherSite =
    headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate';
  // Scripts and pictures bring no origin. Names of this machine are sites of their own to a browser.
  if (!isOfOtherSite || (referer !== undefined && isAllowed(referer, allowedNames))) return undefined;
  return referer ?? 'another site';
}

/** What a page from elsewhere is told. */
export function foreignPageMessage(page: string): string {
  const host = URL.canParse(page) ? new URL(page).hostname : 'null';
  return host === '' || host === 'null'
    ? 'Development mode is for pages of this machine, which this one does not say to be: serve it from localhost.'
    : `Development mode is for pages of this machine, or any page that you look at could change your data: serve this one from localhost, or start with --allow-host ${host}.`;
}

function isAllowed(url: string, allowedNames: readonly string[]): boolean {
  return URL.canParse(url) && isLocalHost(new URL(url).host, allowedNames);
}
