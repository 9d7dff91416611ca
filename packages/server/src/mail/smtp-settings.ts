import { isLoopback } from '../ops/is-loopback.ts';
import { Secret } from '../secrets/secret.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

const SECURITIES = ['ssl', 'starttls', 'none'] as const;

/** `ssl`: encrypted from the start. `starttls`: encrypted before anything else is said, or not used. `none`: in the open. */
export type SmtpSecurity = (typeof SECURITIES)[number];

/** How to reach a mail server. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  readonly security: SmtpSecurity;
  readonly user?: string;
  /** The password of the user, from `sealSmtpPassword`. */
  readonly sealedPassword?: string;
}

const HOST = /^[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9])?$|^[0-9a-f:]{2,45}$/i;
const MAX_TEXT_LENGTH = 4_096;

/** Why a mail server cannot be used as it is described, each in a sentence. */
export function checkSmtpSettings(json: unknown): readonly string[] {
  const { host, port, security, user, sealedPassword } = fields(json);
  const problems: string[] = [];
  if (typeof host !== 'string' || !HOST.test(host)) problems.push('"host" is a host name or an IP address.');
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535)
    problems.push('"port" is a whole number from 1 to 65535.');
  if (!SECURITIES.some((known) => known === security))
    problems.push(`"security" is one of ${SECURITIES.join(', ')}.`);
  if (!isOptionalText(user) || !isOptionalText(sealedPassword)) problems.push('User and password are texts.');
  if ((user === undefined) !== (sealedPassword === undefined))
    problems.push('Give a user and a password, or neither.');
  if (user !== undefined && security === 'none' && !isLoopback(String(host)))
    problems.push('A password goes over an encrypted connection only: by TLS from the start, or STARTTLS.');
  return problems;
}

/** Reads the settings of a mail server. Throws an error with every problem. History: the first form. */
export function decodeSmtpSettings(json: unknown): SmtpSettings {
  const problems = checkSmtpSettings(json);
  if (problems.length > 0) throw new Error(`The mail server cannot be used: ${problems.join(' ')}`);
  const { host, port, security, user, sealedPassword } = json as SmtpSettings;
  return {
    host,
    port,
    security,
    ...(user === undefined || sealedPassword === undefined ? {} : { user, sealedPassword }),
  };
}

/**
 * Seals a password for one user of one server: whoever may change the settings cannot have it sent to a server of their
 * own.
 */
export function sealSmtpPassword(
  box: SecretBox,
  settings: Pick<SmtpSettings, 'host' | 'port' | 'user'>,
  password: Secret,
): string {
  return box.seal(password.reveal(), passwordContext(settings));
}

/** The password, nothing if there is none. Throws an `UnsealFailure` if it is for another server or user. */
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
