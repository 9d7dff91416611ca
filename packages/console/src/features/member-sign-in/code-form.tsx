import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemAlert } from './problem-alert.tsx';
import { SignInCard } from './sign-in-card.tsx';
import { useAttempt } from './use-attempt.ts';

interface CodeFormProps {
  readonly title: string;
  readonly prove: (code: string) => Promise<void>;
  readonly giveUp: () => void;
}

/** Asks for the code of an app, or a recovery code in its place. */
export function CodeForm({ title, prove, giveUp }: CodeFormProps) {
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
      <Button onClick={giveUp}>{t('back')}</Button>
    </SignInCard>
  );
}

/** Apps show codes in groups. */
function withoutSpaces(code: string): string {
  return code.replaceAll(/\s/g, '');
}
