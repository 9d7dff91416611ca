import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { AreaPolicy } from './area.ts';
import type { Transport } from './transport.ts';

const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]/?#@\\\s]+)(?::[0-9]*)?$/;

/**
 * The name in a `Host` header, in lower case, without port and final dot; an IPv6 address stays in its brackets.
 * `undefined` for anything that is not a host.
 */
export function parseHostName(header: string): string | undefined {
  const name = HOST.exec(header.toLowerCase())?.[1];
  return name?.endsWith('.') ? name.slice(0, -1) : name;
}

/** This machine, and this machine as Android's emulator names it. */
const LOCAL_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '10.0.2.2']);

/**
 * May a request that was sent to this host be answered? A web page can make any name of its own point to this
 * machine; its requests then carry that name, and the browser would let the page read the answers.
 */
export function isLocalHost(header: string | undefined, allowedNames: readonly string[]): boolean {
  const name = parseHostName(header ?? '');
  if (name === undefined) return false;
  return LOCAL_NAMES.has(name) || name.endsWith('.localhost') || allowedNames.includes(name);
}

/** What a request to another host is told. */
export function unknownHostMessage(header: string | undefined): string {
  const name = parseHostName(header ?? '');
  return name === undefined
    ? 'This server answers only to requests with a Host header that names this machine.'
    : `This server does not answer to the host ${name}: start it with --allow-host ${name} to allow that.`;
}

type PageHeaders = Pick<IncomingHttpHeaders, 'origin' | 'referer' | 'sec-fetch-mode' | 'sec-fetch-site'>;

/**
 * The origin of a web page from elsewhere that a request is for, as far as browsers tell; `undefined` for pages of this machine and
 * of hosts that are allowed, for people who follow a link, and for programs that are no browsers. Any page that somebody looks
 * at can send requests to their own machine.
 */
export function crossOriginOf(headers: PageHeaders, allowedNames: readonly string[]): string | undefined {
  const { origin, referer } = headers;
  if (origin !== undefined) return isAllowed(origin, allowedNames) ? undefined : origin;
  const isOfOtherSite =
    headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate';
  // Scripts and pictures bring no origin. Names of this machine are sites of their own to a browser.
  if (!isOfOtherSite || (referer !== undefined && isAllowed(referer, allowedNames))) return undefined;
  return referer ?? 'another site';
}

/** What a page from elsewhere is told. */
export function crossOriginMessage(page: string): string {
  const host = URL.canParse(page) ? new URL(page).hostname : 'null';
  return host === '' || host === 'null'
    ? 'Development mode is for pages of this machine, which this one does not say to be: serve it from localhost.'
    : `Development mode is for pages of this machine, or any page that you look at could change your data: serve this one from localhost, or start with --allow-host ${host}.`;
}

function isAllowed(url: string, allowedNames: readonly string[]): boolean {
  return URL.canParse(url) && isLocalHost(new URL(url).host, allowedNames);
}

export interface AdmissionOptions {
  /** Host names that requests may be for, beside those of this machine. */
  readonly allowedHosts: readonly string[];
  /** The areas, some of which have hosts of their own. */
  readonly policies: readonly AreaPolicy[];
  readonly transport: Transport;
  /** Must web pages be of this machine or of an allowed host? Where whoever reaches the server may do everything. */
  readonly blocksCrossOrigin: boolean;
}

/** Why a request must not be answered, whatever it asks for: the way it came, the host it is for, or the page it is from. */
export function rejectReason(request: IncomingMessage, options: AdmissionOptions): string | undefined {
  const { host } = request.headers;
  const barred = options.transport.findError(request) ?? findPageBar(request, options);
  if (barred !== undefined || isLocalHost(host, options.allowedHosts)) return barred;
  const name = parseHostName(host ?? '') ?? '';
  const isAreaHost = options.policies.some(
    ({ hosts, owns }) => hosts?.includes(name) === true && owns(request),
  );
  return isAreaHost ? undefined : unknownHostMessage(host);
}

function findPageBar(
  { headers }: IncomingMessage,
  { blocksCrossOrigin, allowedHosts }: AdmissionOptions,
): string | undefined {
  const page = blocksCrossOrigin ? crossOriginOf(headers, allowedHosts) : undefined;
  return page === undefined ? undefined : crossOriginMessage(page);
}
