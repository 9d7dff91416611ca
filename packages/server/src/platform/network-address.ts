import { isIP } from 'node:net';
import { StartFailure } from './failures.ts';

const LOOPBACK = /^(?:127(?:\.(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})){3}|::1|localhost)$/i;

/** Is it an address of this machine only, or the name that stands for one? IPv6 without brackets. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Is it an IP address, or a network such as `10.0.0.0/8`? */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** Where a mail server is, and who signs in there; `null` for nobody. */
export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string | null;
  /** TLS from the start, STARTTLS, or in the open. */
  readonly security: 'ssl' | 'starttls' | 'none';
}

const PORTS = { 'smtps:': 465, 'smtp:': 587 } as const;

/**
 * Reads `smtps://user@host:465`, which is TLS from the start, or `smtp://user@host:587`: STARTTLS, but in the open to this
 * machine. Throws a `StartFailure`.
 */
export function parseSmtpAddress(text: string, name: string): SmtpAddress {
  // Addresses of schemes that a browser does not know are read as they are.
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
    // It is not repeated, because it may hold a password all the same.
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
