import PreferencesIcon from '@mui/icons-material/TuneOutlined';
import IconButton from '@mui/material/IconButton';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from './hint.tsx';

/** Its fields are needed by no first view. */
const PreferencesPanel = lazy(async () => ({
  default: (await import('../preferences/preferences-panel.tsx')).PreferencesPanel,
}));

/** Opens what whoever is at the console may like otherwise; it takes effect at once. */
export function PreferencesButton() {
  const { t } = useTranslation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isWanted, setIsWanted] = useState(false);
  if (anchor !== null && !isWanted) setIsWanted(true);
  return (
    <>
      <Hint title={t('preferences.title')}>
        <IconButton
          color="inherit"
          aria-label={t('preferences.title')}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <PreferencesIcon />
        </IconButton>
      </Hint>
      {isWanted && (
        <Suspense fallback={null}>
          <PreferencesPanel anchor={anchor} close={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  );
}
