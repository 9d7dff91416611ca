import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { isBrokenOff, isForbidden, isUnanswered } from '../server/api-error.ts';

interface FailureProps {
  readonly error: unknown;
  /** Tries again; absent where that makes no sense. */
  readonly retry?: () => void;
}

/** What went wrong, and what to do about it. */
export function Failure({ error, retry }: FailureProps) {
  const { t } = useTranslation();
  const kind = isForbidden(error)
    ? 'forbidden'
    : isBrokenOff(error)
      ? 'brokenOff'
      : isUnanswered(error)
        ? 'offline'
        : 'other';
  return (
    <Alert
      severity={kind === 'forbidden' ? 'warning' : 'error'}
      sx={{ margin: 2 }}
      action={
        retry === undefined ? null : (
          <Button color="inherit" size="small" onClick={retry}>
            {t('retry')}
          </Button>
        )
      }
    >
      <AlertTitle>{t(`failure.${kind}`)}</AlertTitle>
      {kind === 'brokenOff'
        ? t('failure.brokenOffText')
        : error instanceof Error
          ? error.message
          : String(error)}
    </Alert>
  );
}
