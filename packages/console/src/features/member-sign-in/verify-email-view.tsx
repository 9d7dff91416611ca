import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { sendEmailVerification, type User } from 'firebase/auth';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemAlert } from './problem-alert.tsx';
import { SignInCard } from './sign-in-card.tsx';
import { useAttempt } from './use-attempt.ts';

interface VerifyEmailViewProps {
  readonly user: User;
  readonly leave: () => void;
  /** The address is verified. */
  readonly done: () => void;
}

/** An account gets a second factor only once its address is known to be its owner's. */
export function VerifyEmailView({ user, leave, done }: VerifyEmailViewProps) {
  const { t } = useTranslation('member-sign-in');
  const [isSent, setIsSent] = useState(false);
  const [attempt, run] = useAttempt();
  async function look(): Promise<void> {
    await user.reload();
    if (user.emailVerified) done();
    else throw new Error(t('verify.notYet'));
  }
  return (
    <SignInCard title={t('verify.title')}>
      <Typography>{t('verify.text', { email: user.email })}</Typography>
      {isSent && <Alert severity="success">{t('verify.sent')}</Alert>}
      <ProblemAlert attempt={attempt} />
      <Button
        variant={isSent ? 'outlined' : 'contained'}
        disabled={attempt.kind === 'running'}
        onClick={() =>
          void run(async () => {
            await sendEmailVerification(user);
            setIsSent(true);
          })
        }
      >
        {t('verify.send')}
      </Button>
      <Button
        variant={isSent ? 'contained' : 'outlined'}
        disabled={attempt.kind === 'running'}
        onClick={() => void run(look)}
      >
        {t('verify.look')}
      </Button>
      <Button onClick={leave}>{t('leave')}</Button>
    </SignInCard>
  );
}
