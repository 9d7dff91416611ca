import { isIP } from 'node:net';
import { StartFailure } from './failures.ts';

const LOOPBACK = /^(?:127(?:\.(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})){3}|::1|localhost)$/i;

/**
 * Returns whether a host is an address of this machine only, or `localhost`. IPv6 addresses have no brackets.
 */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Returns whether a text is an IP address, or a network such as `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** The address of a mail server and the user who signs in there; `null` if no user signs in. */
export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string | null;
  /** TLS from the start, STARTTLS, or no encryption. */
  readonly security: 'ssl' | 'starttls' | 'none';
}

const PORTS = { 'smtps:': 465, 'smtp:': 587 } as const;

/**
 * Parses `smtps://user@host:465`, which uses TLS from the start, or `smtp://user@host:587`, which uses
 * STARTTLS, or no encryption if the host is this machine. Throws a `StartFailure` for other text.
 */
export function parseSmtpAddress(text: string, name: string): SmtpAddress {
  // The URL parser does not normalize the host of schemes that browsers do not know.
  const url = URL.parse(text);
  const scheme = url?.protocol === 'smtps:' || url?.protocol === 'smtp:' ? url.protocol : undefined;
  if (url?.password)
    throw new StartFailure(
      `${name} must not contain the password, because other users can read command lines. Set HEARTH_SMTP_PASSWORD instead.`,
    );
  const user = decodeUser(url?.username ?? '');
  const isBare = url !== null && url.pathname.replace('/', '') === '' && url.search === '' && url.hash === '';
  if (
    scheme === undefined ||
    url === null ||
    !isBare ||
    url.hostname === '' ||
    url.port === '0' ||
    user === undefined
  )
    // The message does not repeat the text, because it may still contain a password.
    throw new StartFailure(`${name} must be an address such as smtps://user@mail.example.com.`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port: url.port === '' ? PORTS[scheme] : Number(url.port),
    user: url.username === '' ? null : user,
    security: scheme === 'smtps:' ? 'ssl' : isLoopback(host) ? 'none' : 'starttls',
  };
}

function decodeUser(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
