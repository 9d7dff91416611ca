import { isIP } from 'node:net';
import { isLoopback } from '../../platform/network-address.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import type { ProjectSettings } from '../projects/project.ts';

const MAX_LENGTH = 2_048;

/**
 * Matches URLs that all programs parse alike. Browsers read a backslash as a slash and drop line breaks; other
 * programs do not.
 */
const PLAIN = /^(?:https?|chrome-extension):\/\/([^/?#\\@\p{Cc}\s]+)(?:[/?#][^\\\p{Cc}]*)?$/iu;

/** The domains to which a project may send users. */
export type DomainSettings = Pick<ProjectSettings, 'authorizedDomains' | 'areDomainsExact'>;

/** Parses the URL of a page on which the user continues. Throws `INVALID_CONTINUE_URI`. */
export function parseContinueUrl(text: string): URL {
  const url = findPlainUrl(text);
  if (url === undefined)
    throw new AuthApiError(
      'INVALID_CONTINUE_URI',
      `Use an absolute URL (https://…) with a host, without a user name, and with at most ${MAX_LENGTH} characters.`,
    );
  return url;
}

/** Returns the URL as `parseContinueUrl` does, if the project may send users there. */
export function findAuthorizedUrl(text: string, settings: DomainSettings): URL | undefined {
  const url = findPlainUrl(text);
  return url !== undefined && isAuthorized(url, settings) ? url : undefined;
}

/**
 * Returns whether the project may send users to a URL. The host must be one that the project lists or, unless domains
 * are exact, a subdomain of one. An entry `*.example.com` matches only subdomains. Ports are ignored. Without
 * TLS the host must be on the same machine.
 */
function isAuthorized(url: URL, { authorizedDomains, areDomainsExact }: DomainSettings): boolean {
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) return false;
  return authorizedDomains.some((entry) => matches(url, entry.toLowerCase(), areDomainsExact));
}

/**
 * Returns whether a host name is this machine, so that the traffic cannot be intercepted. `hostname` is in the format
 * of `URL`.
 */
function isThisMachine(hostname: string): boolean {
  return isLoopback(hostname.replace(/^\[|\]$/g, '')) || hostname.endsWith('.localhost');
}

/** Matches host names that are empty, or have a part that is empty and not the last. */
const EMPTY_LABEL = /^$|^\.|\.\./;

function findPlainUrl(text: string): URL | undefined {
  if (text.length > MAX_LENGTH || !PLAIN.test(text)) return undefined;
  const url = URL.parse(text);
  return url === null || EMPTY_LABEL.test(url.hostname) ? undefined : url;
}

function matches({ protocol, hostname }: URL, entry: string, isExact: boolean): boolean {
  if (entry.includes('://')) return `${protocol}//${hostname}` === entry;
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  const matchesSubdomainsOnly = entry.startsWith('*.');
  const domain = hostnameOf(matchesSubdomainsOnly ? entry.slice(2) : entry);
  if (domain === undefined) return false;
  if (isIpAddress(hostname) || isIpAddress(domain)) return hostname === domain && !matchesSubdomainsOnly;
  if (hostname === domain) return !matchesSubdomainsOnly;
  return (matchesSubdomainsOnly || !isExact) && hostname.endsWith(`.${domain}`);
}

/** Returns the host of an entry in the format of `URL`: in ASCII, with IP addresses in canonical form. */
function hostnameOf(entry: string): string | undefined {
  const url = URL.parse(`https://${isIP(entry) === 6 ? `[${entry}]` : entry}`);
  return url?.hostname;
}

function isIpAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

/** Paths of the page to which links in mails lead, and of URLs that phones open in an app instead. */
export const ACTION_PATH = '/__/auth/action';
/** The path of the page on which users sign in, so that an app needs none. */
export const HOSTED_PATH = '/__/auth/sign-in';
export const LINKS_PATH = '/__/auth/links';

/** Returns the URL if it is that of the hosted sign-in page of the server at `origin`. Every project may use the page. */
export function findHostedUrl(text: string, origin: string): URL | undefined {
  const url = findPlainUrl(text);
  return url !== undefined && `${url.origin}${url.pathname}` === `${origin}${HOSTED_PATH}` ? url : undefined;
}

export interface ActionLink {
  /** URL of the page for codes. */
  readonly page: string;
  readonly mode: string;
  readonly code: string;
  readonly apiKey: string;
  readonly language: string;
  readonly continueUrl: string | undefined;
  readonly linkDomain: string | undefined;
  readonly tenantId: string | null;
}

/**
 * Formats the link to the page for a code: the URL of the page with `mode`, `oobCode`, `apiKey`, `continueUrl`
 * if there is one, `lang`, and `tenantId` if there is one. With a link domain, this link becomes the parameter `link` of
 * a URL on that domain, which phones open in the app.
 */
export function formatActionLink(link: ActionLink): string {
  const url = new URL(link.page);
  url.searchParams.set('mode', link.mode);
  url.searchParams.set('oobCode', link.code);
  url.searchParams.set('apiKey', link.apiKey);
  if (link.continueUrl !== undefined) url.searchParams.set('continueUrl', link.continueUrl);
  url.searchParams.set('lang', link.language);
  if (link.tenantId !== null) url.searchParams.set('tenantId', link.tenantId);
  if (link.linkDomain === undefined) return url.href;
  const outer = new URL(LINKS_PATH, originOf(link.linkDomain));
  outer.searchParams.set('link', url.href);
  return outer.href;
}

function originOf(host: string): string {
  const { hostname } = new URL(`https://${host}`);
  return `${isThisMachine(hostname) ? 'http' : 'https'}://${host}`;
}

/** Settings of a link in a mail, in addition to its code. */
export interface ActionSettings {
  /** The URL to which the user continues afterwards; the project allows it. */
  readonly continueUrl: string | undefined;
  /** The host by which a phone recognizes that the link belongs to an app; one that the project allows. */
  readonly linkDomain: string | undefined;
}

/** The settings of a link that no client has requested. */
export const NO_SETTINGS: ActionSettings = { continueUrl: undefined, linkDomain: undefined };

const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i;

/**
 * Reads the settings of a link from a request to the server at `origin`. Throws an `AuthApiError` if the project does not
 * allow them.
 */
export function readActionSettings(
  fields: Fields,
  settings: ProjectSettings,
  origin: string,
): ActionSettings {
  const continueUrl = fields.filled('continueUrl');
  const isForApp = fields.flag('canHandleCodeInApp') === true;
  if (continueUrl !== undefined && !isAllowed(parseContinueUrl(continueUrl), settings, origin))
    throw new AuthApiError('UNAUTHORIZED_DOMAIN', 'Domain not allowlisted by project');
  if (continueUrl === undefined && isForApp) throw new AuthApiError('MISSING_CONTINUE_URI');
  requireAppNames(fields);
  // Firebase Dynamic Links, the service behind these domains, has been shut down.
  if (fields.filled('dynamicLinkDomain') !== undefined)
    throw new AuthApiError('INVALID_DYNAMIC_LINK_DOMAIN', 'Dynamic links are not supported: use linkDomain.');
  const linkDomain = fields.filled('linkDomain');
  if (linkDomain !== undefined) requireLinkDomain(linkDomain, settings);
  return { continueUrl, linkDomain: isForApp ? linkDomain?.toLowerCase() : undefined };
}

function isAllowed(url: URL, settings: ProjectSettings, origin: string): boolean {
  return isAuthorized(url, settings) || findHostedUrl(url.href, origin) !== undefined;
}

/** Throws if a request has settings for an app but does not name the app. */
function requireAppNames(fields: Fields): void {
  const namesAndroid = ['androidInstallApp', 'androidMinimumVersion', 'androidMinimumVersionCode'].some(
    (name) => fields.has(name),
  );
  if (namesAndroid && fields.filled('androidPackageName') === undefined)
    throw new AuthApiError('MISSING_ANDROID_PACKAGE_NAME');
  const bundleId = fields.filled('iOSBundleId') ?? fields.filled('iOSBundleID');
  if (fields.has('iOSAppStoreId') && bundleId === undefined) throw new AuthApiError('MISSING_IOS_BUNDLE_ID');
}

function requireLinkDomain(linkDomain: string, settings: ProjectSettings): void {
  const url = HOST.test(linkDomain) ? URL.parse(`https://${linkDomain}`) : null;
  if (url === null || !isAuthorized(url, settings)) throw new AuthApiError('INVALID_HOSTING_LINK_DOMAIN');
}
