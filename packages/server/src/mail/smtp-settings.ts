import { isLoopback } from '../platform/network-address.ts';
import { Secret, type SecretBox } from '../platform/secret-box.ts';

const SECURITIES = ['ssl', 'starttls', 'none'] as const;

/**
 * `ssl`: encrypted from the start. `starttls`: upgraded to encryption before anything else is sent; if the
 * server does not support that, no mail is sent. `none`: not encrypted.
 */
export type SmtpSecurity = (typeof SECURITIES)[number];

/** How to connect to a mail server. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  readonly security: SmtpSecurity;
  readonly user?: string;
  /** Password of the user, sealed by `sealSmtpPassword`. */
  readonly sealedPassword?: string;
}

const HOST = /^[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9])?$|^[0-9a-f:]{2,45}$/i;
const MAX_TEXT_LENGTH = 4_096;

/** Returns the problems of a mail server's settings, one sentence each. */
export function checkSmtpSettings(json: unknown): readonly string[] {
  const { host, port, security, user, sealedPassword } = fields(json);
  const problems: string[] = [];
  if (typeof host !== 'string' || !HOST.test(host))
    problems.push('"host" must be a host name or an IP address.');
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535)
    problems.push('"port" must be a whole number from 1 to 65535.');
  if (!SECURITIES.some((known) => known === security))
    problems.push(`"security" must be one of ${SECURITIES.join(', ')}.`);
  if (!isOptionalText(user) || !isOptionalText(sealedPassword))
    problems.push('User and password must be strings.');
  if ((user === undefined) !== (sealedPassword === undefined))
    problems.push('Give a user and a password, or neither.');
  if (user !== undefined && security === 'none' && !isLoopback(String(host)))
    problems.push('A password needs an encrypted connection: use TLS from the start, or STARTTLS.');
  return problems;
}

/**
 * Decodes the settings of a mail server. Throws an error that lists every problem. History: the first version
 * of the format.
 */
export function decodeSmtpSettings(json: unknown): SmtpSettings {
  const problems = checkSmtpSettings(json);
  if (problems.length > 0) throw new Error(`Invalid mail server settings: ${problems.join(' ')}`);
  const { host, port, security, user, sealedPassword } = json as SmtpSettings;
  return {
    host,
    port,
    security,
    ...(user === undefined || sealedPassword === undefined ? {} : { user, sealedPassword }),
  };
}

/**
 * Seals a password for one user of one mail server, so that an administrator cannot have the password sent to another
 * server by a change of the settings.
 */
export function sealSmtpPassword(
  box: SecretBox,
  settings: Pick<SmtpSettings, 'host' | 'port' | 'user'>,
  password: Secret,
): string {
  return box.seal(password.reveal(), passwordContext(settings));
}

/**
 * Decrypts the password. Returns `undefined` if there is no password. Throws `UnsealFailure` if it belongs to
 * another server or user.
 */
export function openSmtpPassword(box: SecretBox, settings: SmtpSettings): Secret | undefined {
  const { sealedPassword } = settings;
  return sealedPassword === undefined
    ? undefined
    : new Secret(box.open(sealedPassword, passwordContext(settings)).toString());
}

function passwordContext({ host, port, user }: Pick<SmtpSettings, 'host' | 'port' | 'user'>): string {
  return `smtp-password/${JSON.stringify([host, port, user])}`;
}

function isOptionalText(value: unknown): boolean {
  return (
    value === undefined || (typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT_LENGTH)
  );
}

function fields(json: unknown): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null ? { ...json } : {};
}

/** A mail server, and the sender address of mails that it sends. */
export interface MailServer {
  readonly settings: SmtpSettings;
  readonly senderAddress: string;
}

/** A mail server as the operator configures it. */
export interface PlainMailServer {
  readonly settings: Omit<SmtpSettings, 'sealedPassword'>;
  /** `null` if the server requires no sign-in. */
  readonly password: Secret | null;
  readonly senderAddress: string;
}

export function sealMailServer(
  box: SecretBox,
  { settings, password, senderAddress }: PlainMailServer,
): MailServer {
  const sealed = password === null ? {} : { sealedPassword: sealSmtpPassword(box, settings, password) };
  return { settings: { ...settings, ...sealed }, senderAddress };
}
