import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MailSample, TestOutcome } from '../../../api/settings.ts';
import { useSession } from '../../../session/session.ts';
import { Failure } from '../../../ui/states.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { useSendTest } from './use-mail.ts';

interface SendTestProps {
  /** The email to send; by default, the verification email. */
  readonly sample?: MailSample;
  /** The reason why the email cannot be sent. */
  readonly problem?: string | undefined;
}

type Progress =
  | { readonly kind: 'none' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'sent'; readonly to: string; readonly outcome: TestOutcome }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A form that sends a test email, by default to the user, and shows the response of the mail server. */
export function SendTest({ sample, problem }: SendTestProps) {
  const { t } = useTranslation('sign-in');
  const { user } = useSession();
  const send = useSendTest();
  const [to, setTo] = useState(user?.email ?? '');
  const [progress, setProgress] = useState<Progress>({ kind: 'none' });
  async function run(): Promise<void> {
    setProgress({ kind: 'sending' });
    try {
      setProgress({ kind: 'sent', to, outcome: await send(to.trim(), sample) });
    } catch (error) {
      setProgress({ kind: 'failed', error });
    }
  }
  return (
    <>
      <Box
        component="form"
        noValidate
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'flex-start' }}
        onSubmit={(event: React.FormEvent) => {
          event.preventDefault();
          void run();
        }}
      >
        <TextField
          type="email"
          label={t('test.to')}
          value={to}
          helperText={problem}
          onChange={(event) => setTo(event.target.value)}
          slotProps={{ htmlInput: { dir: 'ltr', spellCheck: false } }}
          sx={{ flex: '1 1 14rem' }}
        />
        <Button
          type="submit"
          variant="outlined"
          disabled={problem !== undefined || to.trim() === ''}
          loading={progress.kind === 'sending'}
        >
          {t('test.send')}
        </Button>
      </Box>
      {progress.kind === 'sent' &&
        (progress.outcome.outcome === 'accepted' ? (
          <Alert severity="success">{t('test.accepted', { to: progress.to })}</Alert>
        ) : (
          <Alert severity="error">
            {t('test.refused')} <UntrustedText text={progress.outcome.reason} isCode />
          </Alert>
        ))}
      {progress.kind === 'failed' && <Failure error={progress.error} />}
    </>
  );
}
