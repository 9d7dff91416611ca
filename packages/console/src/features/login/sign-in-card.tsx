import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { signInProblemOf } from '../../api/auth.ts';
import { PreferencesButton } from '../../shell/bar-buttons.tsx';
import { Brand } from '../../shell/brand.tsx';

interface SignInCardProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A step of signing in, as the only content of the page. */
export function SignInCard({ title, children }: SignInCardProps) {
  useEffect(() => {
    document.title = `${title} · Hearth`;
  }, [title]);
  return (
    <Box
      sx={{
        minHeight: '100dvh',
        display: 'flex',
        flexDirection: 'column',
        backgroundColor: 'background.default',
      }}
    >
      <Box
        component="header"
        sx={{
          display: 'flex',
          justifyContent: 'space-between',
          alignItems: 'center',
          padding: 1,
          paddingInlineStart: 2,
        }}
      >
        <Brand nameFrom="xs" />
        <PreferencesButton />
      </Box>
      <Box component="main" sx={{ flex: 1, display: 'flex', justifyContent: 'center', padding: 2 }}>
        <Paper
          variant="outlined"
          sx={{
            alignSelf: 'flex-start',
            marginBlockStart: { sm: '6dvh' },
            width: '100%',
            maxWidth: 420,
            padding: { xs: 2, sm: 4 },
            display: 'flex',
            flexDirection: 'column',
            gap: 2,
          }}
        >
          <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
            {title}
          </Typography>
          {children}
        </Paper>
      </Box>
    </Box>
  );
}

/** State of an action that can be repeated. */
export type Attempt =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Returns the state of an action and a function that runs one. Ignores further calls while an action runs. */
export function useAttempt(): readonly [Attempt, (work: () => Promise<void>) => Promise<void>] {
  const [attempt, setAttempt] = useState<Attempt>({ kind: 'idle' });
  async function run(work: () => Promise<void>): Promise<void> {
    if (attempt.kind === 'running') return;
    setAttempt({ kind: 'running' });
    try {
      await work();
      setAttempt({ kind: 'idle' });
    } catch (error) {
      setAttempt({ kind: 'failed', error });
    }
  }
  return [attempt, run];
}

interface ProblemAlertProps {
  readonly attempt: Attempt;
}

/** Shows why an attempt failed, and what to do. */
export function ProblemAlert({ attempt }: ProblemAlertProps) {
  const { t } = useTranslation('member-sign-in');
  if (attempt.kind !== 'failed') return null;
  const { error } = attempt;
  const problem = signInProblemOf(error);
  return (
    <Alert severity="error">
      {problem === 'other'
        ? t('problems.other', { message: error instanceof Error ? error.message : String(error) })
        : t(`problems.${problem}`)}
    </Alert>
  );
}
