import { isMailAddress } from '../../mail/mail-address.ts';
import type { MailServer } from '../../mail/mail-server.ts';
import {
  checkSmtpSettings,
  decodeSmtpSettings,
  type SmtpSecurity,
  sealSmtpPassword,
} from '../../mail/smtp-settings.ts';
import { Secret } from '../../secrets/secret.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import { invalidConfig, refuseProblems } from './config-value.ts';

/** As the interface calls them; `NONE` is Hearth's own word. */
const SECURITIES = { SSL: 'ssl', START_TLS: 'starttls', NONE: 'none' } as const satisfies Readonly<
  Record<string, SmtpSecurity>
>;
const MAX_PASSWORD_LENGTH = 1_000;

/** `notification.sendEmail.smtp`, without the password; `undefined` for no server. */
export function encodeSmtp(server: MailServer | null): JsonObject | undefined {
  if (server === null) return undefined;
  const { host, port, security, user } = server.settings;
  return {
    senderEmail: server.senderAddress,
    host,
    port,
    ...(user === undefined ? {} : { username: user }),
    securityMode: Object.entries(SECURITIES).find(([, known]) => known === security)?.[0],
  };
}

/** A mail server; an empty object for none. Without a password, the one of `before` remains if it is the same user there. */
export function decodeSmtp(
  value: unknown,
  path: string,
  before: MailServer | null,
  box: SecretBox,
): MailServer | null {
  if (value === undefined) return null;
  if (!isJsonObject(value)) throw invalidConfig(path, 'an object');
  if (Object.keys(value).length === 0) return null;
  const { senderEmail, host, port, username, password, securityMode, ...others } = value;
  const security = Object.entries(SECURITIES).find(([word]) => word === securityMode)?.[1];
  const user = username === '' ? undefined : username;
  const address = { host, port, ...(user === undefined ? {} : { user }) };
  const newPassword = password === '' ? undefined : password;
  const kept = newPassword === undefined ? findKept(address, before) : undefined;
  const hasPassword = newPassword !== undefined || kept !== undefined;
  const settings = {
    ...address,
    security: security ?? 'ssl',
    // Sealed once it is known to be of use.
    ...(hasPassword || user !== undefined ? { sealedPassword: kept ?? 'given' } : {}),
  };
  refuseProblems(path, [
    ...Object.keys(others).map((name) => `${name} is no setting of this server.`),
    ...(isMailAddress(senderEmail) ? [] : ['"senderEmail" is one e-mail address.']),
    ...(security === undefined ? [`"securityMode" is one of ${Object.keys(SECURITIES).join(', ')}.`] : []),
    ...(isPassword(newPassword) ? [] : [`"password" is a text of 1 to ${MAX_PASSWORD_LENGTH} characters.`]),
    ...(user !== undefined && !hasPassword
      ? ['"password" is to be given, again for another host, port or username.']
      : []),
    ...checkSmtpSettings(settings),
  ]);
  const decoded = decodeSmtpSettings(settings);
  const sealed =
    typeof newPassword === 'string'
      ? { sealedPassword: sealSmtpPassword(box, decoded, new Secret(newPassword)) }
      : {};
  return { settings: { ...decoded, ...sealed }, senderAddress: String(senderEmail) };
}

/** The sealed password from before, if it is for the same user of the same server. */
function findKept(
  { host, port, user }: { readonly host: unknown; readonly port: unknown; readonly user?: unknown },
  before: MailServer | null,
): string | undefined {
  if (before === null || user === undefined) return undefined;
  const { settings } = before;
  const isSame = settings.host === host && settings.port === port && settings.user === user;
  return isSame ? settings.sealedPassword : undefined;
}

function isPassword(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.length <= MAX_PASSWORD_LENGTH);
}
