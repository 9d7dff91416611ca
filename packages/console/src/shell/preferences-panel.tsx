import { LANGUAGES, type Language } from '@hearth/pages/shell/document.ts';
import Box from '@mui/material/Box';
import Popover from '@mui/material/Popover';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { DENSITIES, THEME_CHOICES } from '../ui/preferences.ts';
import { changePreferences, LANGUAGE_NAMES, usePreferences } from '../ui/use-preferences.ts';

interface PreferenceButtonsProps<Id extends string> {
  readonly label: string;
  readonly value: Id;
  readonly choices: readonly { readonly id: Id; readonly title: string }[];
  choose(id: Id): void;
}

/** A labeled group of toggle buttons for a few choices. */
export function PreferenceButtons<Id extends string>({
  label,
  value,
  choices,
  choose,
}: PreferenceButtonsProps<Id>) {
  const labelId = useId();
  return (
    <Box>
      <Typography id={labelId} variant="caption" component="div" color="textSecondary">
        {label}
      </Typography>
      <ToggleButtonGroup
        exclusive
        fullWidth
        size="small"
        value={value}
        aria-labelledby={labelId}
        onChange={(_event, chosen: Id | null) => {
          if (chosen !== null) choose(chosen);
        }}
      >
        {choices.map(({ id, title }) => (
          <ToggleButton key={id} value={id} sx={{ textTransform: 'none' }}>
            {title}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Box>
  );
}

/** Value of the option for the language of the browser. */
const BROWSER = '';

interface PreferencesPanelProps {
  /** Anchor element while the panel is open; otherwise `null`. */
  readonly anchor: HTMLElement | null;
  readonly close: () => void;
}

/** A panel for theme, density and language. Changes apply immediately. */
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
      <PreferenceButtons
        label={t('preferences.theme')}
        value={theme}
        choices={THEME_CHOICES.map((id) => ({ id, title: t(`preferences.themes.${id}`) }))}
        choose={(chosen) => changePreferences({ theme: chosen })}
      />
      <PreferenceButtons
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
