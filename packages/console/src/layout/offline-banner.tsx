import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { askHealth } from '../server/ask-health.ts';
import { useConnectivity } from '../server/connectivity.ts';

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
