import LinearProgress from '@mui/material/LinearProgress';
import { useTranslation } from 'react-i18next';

/** Something is on its way. */
export function LoadingBar() {
  const { t } = useTranslation();
  return (
    <LinearProgress aria-label={t('loading')} sx={{ position: 'sticky', insetBlockStart: 0, zIndex: 1 }} />
  );
}
