import { type ColorScheme, isColor, leastContrast, MIN_CONTRAST } from '@hearth/core/api/page-theme.ts';
import { PALETTES } from '@hearth/pages/shell/styles.ts';
import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { findProblemAt } from '../setting-fields.tsx';
import { SETTINGS, type SettingsForm } from '../settings-form.ts';

/** The settings of the colors, by color scheme. */
const NAMES = { light: 'lightColor', dark: 'darkColor' } as const;

/** Returns the typed color of a scheme; `undefined` for that of Hearth, and while the text is not a color. */
export function colorOf(form: SettingsForm, scheme: ColorScheme): string | undefined {
  const text = textOf(form, scheme);
  return isColor(text) ? text : undefined;
}

function textOf(form: SettingsForm, scheme: ColorScheme): string {
  return String(form.value(SETTINGS[NAMES[scheme]]) ?? '');
}

/** Returns functions that describe the typed color of a scheme. */
function useColorTexts(form: SettingsForm) {
  const { t, i18n } = useTranslation('sign-in');
  const { format } = new Intl.NumberFormat(i18n.language, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    // A contrast that is too small never seems sufficient.
    roundingMode: 'floor',
  });
  const least = format(MIN_CONTRAST);
  return {
    problemOf(scheme: ColorScheme): string | undefined {
      const text = textOf(form, scheme);
      if (text === '') return undefined;
      if (!isColor(text)) return t('look.notColor');
      const contrast = leastContrast(text, scheme);
      if (contrast >= MIN_CONTRAST) return undefined;
      const values = { contrast: format(contrast), least };
      return scheme === 'light' ? t('look.darker', values) : t('look.lighter', values);
    },
    describe(scheme: ColorScheme): string {
      const color = colorOf(form, scheme);
      if (color === undefined) return t('look.usualColor');
      return t('look.contrast', { contrast: format(leastContrast(color, scheme)), least });
    },
  };
}

/** Returns a function that explains what is wrong with the typed color of a scheme; `undefined` if it can be saved. */
export function useColorProblem(form: SettingsForm): (scheme: ColorScheme) => string | undefined {
  return useColorTexts(form).problemOf;
}

interface ColorSettingProps {
  readonly form: SettingsForm;
  readonly scheme: ColorScheme;
}

/** The color of a scheme as a text, next to the color picker of the browser. */
export function ColorSetting({ form, scheme }: ColorSettingProps) {
  const { t } = useTranslation('sign-in');
  const { problemOf, describe } = useColorTexts(form);
  const path = SETTINGS[NAMES[scheme]];
  const label = t(`setting.${NAMES[scheme]}`);
  const wrong = problemOf(scheme) ?? findProblemAt(form.error, path);
  return (
    <TextField
      label={label}
      value={textOf(form, scheme)}
      error={wrong !== undefined}
      helperText={wrong ?? describe(scheme)}
      placeholder={PALETTES[scheme].primary.main}
      onChange={({ target }) => form.set(path, target.value.trim())}
      slotProps={{
        input: {
          readOnly: !form.mayOwn,
          startAdornment: (
            <InputAdornment position="start">
              <Box
                component="input"
                type="color"
                aria-label={t('look.pick', { label })}
                disabled={!form.mayOwn}
                value={colorOf(form, scheme) ?? PALETTES[scheme].primary.main}
                onChange={({ target }: React.ChangeEvent<HTMLInputElement>) => form.set(path, target.value)}
                sx={{ width: 32, height: 28, padding: 0, border: 0, background: 'none' }}
              />
            </InputAdornment>
          ),
        },
        htmlInput: { dir: 'ltr', spellCheck: false, maxLength: 7 },
        inputLabel: { shrink: true },
      }}
    />
  );
}
