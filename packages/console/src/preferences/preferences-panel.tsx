import { LANGUAGES, type Language } from '@hearth/pages/shell/language.ts';
import Popover from '@mui/material/Popover';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { ChoiceButtons } from './choice-buttons.tsx';
import { DENSITIES, THEME_CHOICES } from './kept-preferences.ts';
import { LANGUAGE_NAMES } from './language-names.ts';
import { changePreferences, usePreferences } from './preferences.ts';

/** What the browser is set to. */
const BROWSER = '';

interface PreferencesPanelProps {
  /** What it stands at while it is open; `null` while it is not. */
  readonly anchor: HTMLElement | null;
  readonly close: () => void;
}

/** What whoever is at the console may like otherwise; it takes effect at once. */
export function PreferencesPanel({ anchor, close }: PreferencesPanelProps) {
  const { t } = useTranslation();
  const { theme, density, language } = usePreferences();
  return (
    <Popover
      open={anchor !== null}
      anchorEl={anchor}
      onClose={close}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': t('preferences.title'),
          sx: { padding: 2, width: 300, display: 'flex', flexDirection: 'column', gap: 2 },
        },
      }}
    >
      <ChoiceButtons
        label={t('preferences.theme')}
        value={theme}
        choices={THEME_CHOICES.map((id) => ({ id, title: t(`preferences.themes.${id}`) }))}
        choose={(chosen) => changePreferences({ theme: chosen })}
      />
      <ChoiceButtons
        label={t('preferences.density')}
        value={density}
        choices={DENSITIES.map((id) => ({ id, title: t(`preferences.densities.${id}`) }))}
        choose={(chosen) => changePreferences({ density: chosen })}
      />
      <TextField
        select
        label={t('preferences.language')}
        value={language ?? BROWSER}
        onChange={(event) => changePreferences({ language: findLanguage(event.target.value) })}
        slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
      >
        <option value={BROWSER}>{t('preferences.ofBrowser')}</option>
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {LANGUAGE_NAMES[one]}
          </option>
        ))}
      </TextField>
    </Popover>
  );
}

function findLanguage(text: string): Language | null {
  return LANGUAGES.find((language) => language === text) ?? null;
}
