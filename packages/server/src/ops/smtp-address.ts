import { isLoopback } from './is-loopback.ts';
import { StartFailure } from './start-failure.ts';

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
      `${name} must not hold the password, because everybody can read command lines: give it by HEARTH_SMTP_PASSWORD.`,
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
