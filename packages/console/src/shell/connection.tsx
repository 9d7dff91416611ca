import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { checkHealth, useConnectivity } from '../api/client.ts';

/** A banner that is shown while the server does not respond, with the time at which it stopped responding. */
export function OfflineBanner() {
  const { t, i18n } = useTranslation();
  const connectivity = useConnectivity();
  if (connectivity.kind === 'online') return null;
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'medium' }).format(connectivity.sinceMs);
  return (
    <Alert
      severity="warning"
      variant="outlined"
      sx={{ borderRadius: 0, borderInline: 0, borderBlockStart: 0, paddingBlock: 0, alignItems: 'center' }}
      action={
        <Button color="inherit" size="small" onClick={() => void checkHealth()}>
          {t('offline.now')}
        </Button>
      }
    >
      {t('offline.text', { time })}
    </Alert>
  );
}

/** Interval of the health checks, in milliseconds. */
const AGAIN_MS = 2_000;

/** Checks the server while the window is visible. When it responds again, refetches all queries. */
export function useReconnecting(): void {
  const isOffline = useConnectivity(({ kind }) => kind === 'offline');
  const queryClient = useQueryClient();
  useEffect(() => {
    // The browser's network events trigger a check; they do not decide the state.
    const check = (): void => void checkHealth();
    addEventListener('online', check);
    addEventListener('offline', check);
    return () => {
      removeEventListener('online', check);
      removeEventListener('offline', check);
    };
  }, []);
  useEffect(() => {
    // A server that hangs ends no stream and no request, so only a check with a time limit detects it.
    const timer = setInterval(() => {
      if (!document.hidden) void checkHealth();
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (!isOffline) return;
    return () => void queryClient.invalidateQueries();
  }, [isOffline, queryClient]);
}
