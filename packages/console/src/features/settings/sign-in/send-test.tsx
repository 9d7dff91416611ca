import { useTranslation } from 'react-i18next';
import type { MailSample } from '../../../api/settings.ts';
import { useSession } from '../../../session/session.ts';
import { TestForm } from './test-form.tsx';
import { useSendTest } from './use-mail.ts';

interface SendTestProps {
  /** The email to send; by default, the verification email. */
  readonly sample?: MailSample;
  /** The reason why the email cannot be sent. */
  readonly problem?: string | undefined;
}

/** A form that sends a test email, by default to the user. */
export function SendTest({ sample, problem }: SendTestProps) {
  const { t } = useTranslation('sign-in');
  const { user } = useSession();
  const send = useSendTest();
  return (
    <TestForm
      type="email"
      label={t('test.to')}
      first={user?.email ?? ''}
      problem={problem}
      send={(to) => send(to, sample)}
      accepted={(to) => t('test.accepted', { to })}
      refused={t('test.refused')}
    />
  );
}
