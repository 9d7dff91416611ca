import { isMailAddress } from '../mail/mail-address.ts';
import type { PlainMailServer } from '../mail/mail-server.ts';
import { checkSmtpSettings } from '../mail/smtp-settings.ts';
import type { ServeOptions } from '../ops/serve-options.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { Secret } from '../secrets/secret.ts';

type MailOptions = Pick<ServeOptions, 'smtpUrl' | 'smtpPassword' | 'mailFrom'>;

/** The mail server of projects that have none of their own; `null` if none is given. Throws a `StartFailure`. */
export function sharedMailServer({ smtpUrl, smtpPassword, mailFrom }: MailOptions): PlainMailServer | null {
  if ((smtpUrl === null) !== (mailFrom === null))
    throw new StartFailure('--smtp-url and --mail-from belong together: give both or neither.');
  if (smtpUrl === null || mailFrom === null) return null;
  if ((smtpUrl.user === null) !== (smtpPassword === null))
    throw new StartFailure(
      'The user in --smtp-url and the password in HEARTH_SMTP_PASSWORD belong together: give both or neither.',
    );
  const { user, ...place } = smtpUrl;
  const settings = user === null ? place : { ...place, user };
  const problems = [
    ...checkSmtpSettings(user === null ? settings : { ...settings, sealedPassword: 'given' }),
    ...(isMailAddress(mailFrom) ? [] : ['--mail-from is one e-mail address.']),
  ];
  if (problems.length > 0)
    throw new StartFailure(`The mail server of --smtp-url cannot be used: ${problems.join(' ')}`);
  const password = smtpPassword === null ? null : new Secret(smtpPassword);
  return { settings, password, senderAddress: mailFrom };
}
