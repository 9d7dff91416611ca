import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ProjectAuth, sendPasswordMail, signInByPassword } from '../../api/auth.ts';
import { ProblemAlert, SignInCard, useAttempt } from './sign-in-card.tsx';

interface CodeFormProps {
  readonly title: string;
  readonly prove: (code: string) => Promise<void>;
  readonly goBack: () => void;
}

/** Asks for the code of an authenticator app, or for a recovery code. */
function CodeForm({ title, prove, goBack }: CodeFormProps) {
  const { t } = useTranslation('member-sign-in');
  const [code, setCode] = useState('');
  const [attempt, run] = useAttempt();
  return (
    <SignInCard title={title}>
      <Typography>{t('code.text')}</Typography>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(() => prove(withoutSpaces(code)));
        }}
        style={{ display: 'contents' }}
      >
        <ProblemAlert attempt={attempt} />
        <TextField
          autoFocus
          required
          autoComplete="one-time-code"
          label={t('code.label')}
          helperText={t('code.help')}
          value={code}
          onChange={(event) => setCode(event.target.value)}
          slotProps={{ htmlInput: { dir: 'ltr', autoCapitalize: 'none', spellCheck: false } }}
        />
        <Button type="submit" variant="contained" size="large" loading={attempt.kind === 'running'}>
          {t('signIn')}
        </Button>
      </form>
      <Button onClick={goBack}>{t('back')}</Button>
    </SignInCard>
  );
}

/** Removes spaces, because apps show codes in groups. */
function withoutSpaces(code: string): string {
  return code.replaceAll(/\s/g, '');
}

interface PasswordFormProps {
  readonly project: ProjectAuth;
  readonly chooseOther: () => void;
}

/** Asks for email and password, and for a code if the account has a second factor. */
export function PasswordForm({ project, chooseOther }: PasswordFormProps) {
  const { t } = useTranslation('member-sign-in');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const emailField = useRef<HTMLInputElement>(null);
  const [mailedTo, setMailedTo] = useState<string>();
  const [prove, setProve] = useState<(code: string) => Promise<void>>();
  const [attempt, run] = useAttempt();
  const title = t('title', { project: project.projectId });
  if (prove !== undefined) return <CodeForm title={title} prove={prove} goBack={() => setProve(undefined)} />;

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
          // The browser shows its own message if the email is invalid.
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
