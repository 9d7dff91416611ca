import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sendPasswordMail, signInByPassword } from '../../server/member-sign-in.ts';
import type { ProjectAuth } from '../../server/project-auth.ts';
import { CodeForm } from './code-form.tsx';
import { ProblemAlert } from './problem-alert.tsx';
import { SignInCard } from './sign-in-card.tsx';
import { useAttempt } from './use-attempt.ts';

interface PasswordFormProps {
  readonly project: ProjectAuth;
  readonly chooseOther: () => void;
}

/** Asks for an address and its password, and for a code where the account has a second factor. */
export function PasswordForm({ project, chooseOther }: PasswordFormProps) {
  const { t } = useTranslation('member-sign-in');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const emailField = useRef<HTMLInputElement>(null);
  const [mailedTo, setMailedTo] = useState<string>();
  const [prove, setProve] = useState<(code: string) => Promise<void>>();
  const [attempt, run] = useAttempt();
  const title = t('title', { project: project.projectId });
  if (prove !== undefined) return <CodeForm title={title} prove={prove} giveUp={() => setProve(undefined)} />;

  async function signIn(): Promise<void> {
    const after = await signInByPassword(project.auth, email.trim(), password);
    if (after.kind !== 'second-factor') return;
    setPassword('');
    setProve(() => after.prove);
  }
  async function sendMail(): Promise<void> {
    setMailedTo(undefined);
    await sendPasswordMail(project.auth, email.trim());
    setMailedTo(email.trim());
  }
  return (
    <SignInCard title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(signIn);
        }}
        style={{ display: 'contents' }}
      >
        <ProblemAlert attempt={attempt} />
        {mailedTo !== undefined && <Alert severity="success">{t('reset.sent', { email: mailedTo })}</Alert>}
        <TextField
          autoFocus
          required
          type="email"
          inputRef={emailField}
          autoComplete="username"
          label={t('email')}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          slotProps={{ htmlInput: { dir: 'ltr' } }}
        />
        <TextField
          required
          type="password"
          autoComplete="current-password"
          label={t('password')}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          slotProps={{ htmlInput: { dir: 'ltr' } }}
        />
        <Button type="submit" variant="contained" size="large" loading={attempt.kind === 'running'}>
          {t('signIn')}
        </Button>
      </form>
      <Link
        component="button"
        type="button"
        onClick={() => {
          // The browser says what is wrong with the address, in its own words.
          if (emailField.current?.reportValidity() === true) void run(sendMail);
        }}
        sx={{ alignSelf: 'flex-start' }}
      >
        {t('reset.forgot')}
      </Link>
      <Typography variant="body2" color="textSecondary">
        {t('whoMay')}
      </Typography>
      <Link component="button" type="button" onClick={chooseOther} sx={{ alignSelf: 'flex-start' }}>
        {t('otherProject')}
      </Link>
    </SignInCard>
  );
}
