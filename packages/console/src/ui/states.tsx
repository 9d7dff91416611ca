import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, isForbidden, isIncomplete, isUnanswered, printError } from '../api/client.ts';
import type { Loadable } from '../api/query-state.ts';

interface FailureProps {
  readonly error: unknown;
  /** Retries the action; absent if a retry cannot help. */
  readonly retry?: () => void;
}

/**
 * Returns whether a retry can help. After a 403, a retry cannot help, because the member's role is too low. After a 401,
 * another sign-in or other rules may allow the request.
 */
function isRetryable(error: unknown): boolean {
  return !(error instanceof ApiError && error.status === 403);
}

/** Shows an error, with a retry button if possible. */
export function Failure({ error, retry }: FailureProps) {
  const { t } = useTranslation();
  const kind = isForbidden(error)
    ? 'forbidden'
    : isIncomplete(error)
      ? 'incomplete'
      : isUnanswered(error)
        ? 'offline'
        : 'other';
  return (
    <Alert
      severity={kind === 'forbidden' ? 'warning' : 'error'}
      sx={{ margin: 2 }}
      action={
        retry === undefined || !isRetryable(error) ? null : (
          <Button color="inherit" size="small" onClick={retry}>
            {t('retry')}
          </Button>
        )
      }
    >
      <AlertTitle>{t(`failure.${kind}`)}</AlertTitle>
      {kind === 'incomplete' ? t('failure.incompleteText') : printError(error)}
    </Alert>
  );
}

/** Shows that data is loading. */
export function LoadingBar() {
  const { t } = useTranslation();
  return (
    <LinearProgress aria-label={t('loading')} sx={{ position: 'sticky', insetBlockStart: 0, zIndex: 1 }} />
  );
}

interface LoadedProps<T> {
  readonly of: Loadable<T>;
  readonly children: (data: T) => ReactNode;
}

/** Shows loaded data, the loading state or the error. */
export function Loaded<T>({ of, children }: LoadedProps<T>) {
  switch (of.kind) {
    case 'loading':
      return <LoadingBar />;
    case 'forbidden':
      return <Failure error={of.error} />;
    case 'failed':
      return <Failure error={of.error} retry={of.retry} />;
    default:
      return children(of.data);
  }
}

interface EmptyStateProps {
  /** The name of the missing data. */
  readonly title: string;
  /** How to add it. */
  readonly children?: ReactNode;
  /** A button that adds it. */
  readonly action?: ReactNode;
}

/** Shown instead of an empty list. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <Box
      sx={{
        padding: 4,
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        gap: 1.5,
        textAlign: 'center',
      }}
    >
      <Typography variant="h2">{title}</Typography>
      {children !== undefined && (
        <Typography component="div" color="textSecondary" sx={{ maxWidth: 560 }}>
          {children}
        </Typography>
      )}
      {action}
    </Box>
  );
}
