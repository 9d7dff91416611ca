import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { askHealth, useConnectivity } from '../api/client.ts';

/** Says since when the server has not answered, as long as it does not. */
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
        <Button color="inherit" size="small" onClick={() => void askHealth()}>
          {t('offline.now')}
        </Button>
      }
    >
      {t('offline.text', { time })}
    </Alert>
  );
}

/** How often a server that does not answer is asked again, in milliseconds. */
const AGAIN_MS = 2_000;

/** Asks a server that does not answer until it does, and then for everything on the screen once more. */
export function useReconnecting(): void {
  const isOffline = useConnectivity(({ kind }) => kind === 'offline');
  const queryClient = useQueryClient();
  useEffect(() => {
    // What the browser says of the network is a reason to look, not the answer.
    const look = (): void => void askHealth();
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  useEffect(() => {
    if (!isOffline) return;
    const timer = setInterval(() => void askHealth(), AGAIN_MS);
    return () => {
      clearInterval(timer);
      void queryClient.invalidateQueries();
    };
  }, [isOffline, queryClient]);
}
