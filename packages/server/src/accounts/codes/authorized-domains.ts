import { isIP } from 'node:net';
import { isLoopback } from '../../ops/is-loopback.ts';
import { IdentityError } from '../identity-error.ts';
import type { ProjectSettings } from '../project-settings.ts';

const MAX_LENGTH = 2_048;

/** Addresses that every program reads alike. Browsers take a backslash for a slash and drop line breaks, others do not. */
const PLAIN = /^(?:https?|chrome-extension):\/\/([^/?#\\@\p{Cc}\s]+)(?:[/?#][^\\\p{Cc}]*)?$/iu;

/** Which domains a project lets people be sent to. */
export type DomainSettings = Pick<ProjectSettings, 'authorizedDomains' | 'areDomainsExact'>;

/** Reads the address of a page that is gone on to. Refuses with `INVALID_CONTINUE_URI`. */
export function parseContinueUrl(text: string): URL {
  const url = findPlainUrl(text);
  if (url === undefined)
    throw new IdentityError(
      'INVALID_CONTINUE_URI',
      `Give a whole address, https://… with a host and without a user, of at most ${MAX_LENGTH} characters.`,
    );
  return url;
}

/** The same address as `parseContinueUrl` reads, if the project lets people be sent there. */
export function findAuthorizedUrl(text: string, settings: DomainSettings): URL | undefined {
  const url = findPlainUrl(text);
  return url !== undefined && isAuthorized(url, settings) ? url : undefined;
}

/**
 * May people be sent to an address? Its host is one of those that the project names or, unless they are meant exactly, below
 * one; `*.example.com` means those below alone. Ports do not count. Without TLS only hosts on the same machine do.
 */
export function isAuthorized(url: URL, { authorizedDomains, areDomainsExact }: DomainSettings): boolean {
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) return false;
  return authorizedDomains.some((entry) => matches(url, entry.toLowerCase(), areDomainsExact));
}

/** Is it a name of this machine, to which nothing travels that could be read on the way? `hostname` as `URL` has it. */
export function isThisMachine(hostname: string): boolean {
  return isLoopback(hostname.replace(/^\[|\]$/g, '')) || hostname.endsWith('.localhost');
}

function findPlainUrl(text: string): URL | undefined {
  if (text.length > MAX_LENGTH || !PLAIN.test(text)) return undefined;
  const url = URL.parse(text);
  return url === null || url.hostname === '' ? undefined : url;
}

function matches({ protocol, hostname }: URL, entry: string, isExact: boolean): boolean {
  if (entry.includes('://')) return `${protocol}//${hostname}` === entry;
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  const isBelowOnly = entry.startsWith('*.');
  const domain = hostnameOf(isBelowOnly ? entry.slice(2) : entry);
  if (domain === undefined) return false;
  if (isAddress(hostname) || isAddress(domain)) return hostname === domain && !isBelowOnly;
  if (hostname === domain) return !isBelowOnly;
  return (isBelowOnly || !isExact) && hostname.endsWith(`.${domain}`);
}

/** An entry as `URL` writes hosts: in ASCII, IP addresses in their usual form. */
function hostnameOf(entry: string): string | undefined {
  const url = URL.parse(`https://${isIP(entry) === 6 ? `[${entry}]` : entry}`);
  return url?.hostname;
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
