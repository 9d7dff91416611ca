import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import { signInProblemOf } from '../../server/sign-in-problem.ts';
import type { Attempt } from './use-attempt.ts';

interface ProblemAlertProps {
  readonly attempt: Attempt;
}

/** Why it failed, and what to do. */
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
