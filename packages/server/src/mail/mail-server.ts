import type { Secret } from '../secrets/secret.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { type SmtpSettings, sealSmtpPassword } from './smtp-settings.ts';

/** A mail server, and the address that mails which go by it come from. */
export interface MailServer {
  readonly settings: SmtpSettings;
  readonly senderAddress: string;
}

/** A mail server as whoever starts Hearth describes it. */
export interface PlainMailServer {
  readonly settings: Omit<SmtpSettings, 'sealedPassword'>;
  /** `null` where nobody signs in. */
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
