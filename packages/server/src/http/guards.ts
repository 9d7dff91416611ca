import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { AreaPolicy } from './area.ts';
import type { Transport } from './transport.ts';

const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]/?#@\\\s]+)(?::[0-9]*)?$/;

/**
 * Returns the name in a `Host` header, in lowercase, without the port and the final dot. An IPv6 address
 * keeps its brackets. Returns `undefined` for a header that is not a host.
 */
export function parseHostName(header: string): string | undefined {
  const name = HOST.exec(header.toLowerCase())?.[1];
  return name?.endsWith('.') ? name.slice(0, -1) : name;
}

/** Names of this machine. In Android's emulator, `10.0.2.2` is the machine that runs the emulator. */
const LOCAL_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '10.0.2.2']);

/**
 * Returns whether a request with this `Host` header may be answered. The owner of a web page can make the page's host
 * name resolve to this machine. Requests of the page then carry that name, and the browser would let the page read the
 * responses.
 */
export function isLocalHost(header: string | undefined, allowedNames: readonly string[]): boolean {
  const name = parseHostName(header ?? '');
  if (name === undefined) return false;
  return LOCAL_NAMES.has(name) || name.endsWith('.localhost') || allowedNames.includes(name);
}

/** Returns the error message for a request to another host. */
export function unknownHostMessage(header: string | undefined): string {
  const name = parseHostName(header ?? '');
  return name === undefined
    ? 'This server accepts only requests with a Host header that names this machine.'
    : `This server does not accept requests for the host ${name}. To allow them, start it with --allow-host ${name}.`;
}

type PageHeaders = Pick<IncomingHttpHeaders, 'origin' | 'referer' | 'sec-fetch-mode' | 'sec-fetch-site'>;

/**
 * Returns the page from another origin that sent a request, as far as the browser states it: the `Origin`
 * header, or else the `Referer` header, or else a description. Returns `undefined` for pages of this machine
 * and of allowed hosts, for links that a user follows, and for clients that are not browsers. Any page that a
 * user visits can send requests to the user's own machine.
 */
export function crossOriginOf(headers: PageHeaders, allowedNames: readonly string[]): string | undefined {
  const { origin, referer } = headers;
  if (origin !== undefined) return isAllowed(origin, allowedNames) ? undefined : origin;
  const isOfOtherSite =
    headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate';
  // Requests for scripts and images carry no origin. To a browser, each name of this machine is a separate
  // site.
  if (!isOfOtherSite || (referer !== undefined && isAllowed(referer, allowedNames))) return undefined;
  return referer ?? 'another site';
}

/** Returns the error message for a page from another origin. */
export function crossOriginMessage(page: string): string {
  const host = URL.canParse(page) ? new URL(page).hostname : 'null';
  return host === '' || host === 'null'
    ? 'Development mode accepts only pages from this machine, and this page does not state its origin. Serve it from localhost.'
    : `Development mode accepts only pages from this machine, because any page that you visit could otherwise change your data. Serve this page from localhost, or start with --allow-host ${host}.`;
}

function isAllowed(url: string, allowedNames: readonly string[]): boolean {
  return URL.canParse(url) && isLocalHost(new URL(url).host, allowedNames);
}

export interface RequestGuardOptions {
  /** Host names to which requests may be addressed, in addition to the names of this machine. */
  readonly allowedHosts: readonly string[];
  /** The areas, some of which have hosts of their own. */
  readonly policies: readonly AreaPolicy[];
  readonly transport: Transport;
  /**
   * Whether web pages must come from this machine or from an allowed host. Set if every client that can
   * connect has full access.
   */
  readonly blocksCrossOrigin: boolean;
}

/**
 * Returns the reason to reject a request regardless of its URL: the request's transport, its host, or the page that
 * sent it. Returns `undefined` if there is no such reason.
 */
export function findRequestRejection(
  request: IncomingMessage,
  options: RequestGuardOptions,
): string | undefined {
  const { host } = request.headers;
  const rejection = options.transport.findError(request) ?? findCrossOriginRejection(request, options);
  if (rejection !== undefined || isLocalHost(host, options.allowedHosts)) return rejection;
  const name = parseHostName(host ?? '') ?? '';
  const isAreaHost = options.policies.some(
    ({ hosts, owns }) => hosts?.includes(name) === true && owns(request),
  );
  return isAreaHost ? undefined : unknownHostMessage(host);
}

function findCrossOriginRejection(
  { headers }: IncomingMessage,
  { blocksCrossOrigin, allowedHosts }: RequestGuardOptions,
): string | undefined {
  const page = blocksCrossOrigin ? crossOriginOf(headers, allowedHosts) : undefined;
  return page === undefined ? undefined : crossOriginMessage(page);
}
