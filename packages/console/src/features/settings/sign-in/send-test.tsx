import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type MailSample, sendTestMail, type TestOutcome } from '../../../api/settings.ts';
import { useApi, useProjectId, useSession } from '../../../session/session.ts';
import { TestForm } from './test-form.tsx';

interface SendTestProps {
  /** The email to send; by default, the verification email. */
  readonly sample?: MailSample;
  /** The reason why the email cannot be sent. */
  readonly problem?: string | undefined;
}

/** A form that sends a test email, by default to the user. The email does not wait in the queue. */
export function SendTest({ sample, problem }: SendTestProps) {
  const { t } = useTranslation('sign-in');
  const { user } = useSession();
  const api = useApi();
  const project = useProjectId();
  const client = useQueryClient();
  async function send(to: string): Promise<TestOutcome> {
    const outcome = await sendTestMail(api, project, to, sample);
    await client.invalidateQueries({ queryKey: ['mail', project, 'status'] });
    return outcome;
  }
  return (
    <TestForm
      type="email"
      label={t('test.to')}
      first={user?.email ?? ''}
      problem={problem}
      send={send}
      accepted={(to) => t('test.accepted', { to })}
      rejected={t('test.rejected')}
    />
  );
}
