import { MAX_LOGO_BYTES, MAX_LOGO_PIXELS, MIN_LOGO_PIXELS } from '@hearth/core/api/page-theme.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../../ui/sections.tsx';
import { findProblemAt } from '../setting-fields.tsx';
import { SETTINGS, type SettingsForm } from '../settings-form.ts';
import { type LogoProblem, readLogo } from './logo-file.ts';

/** Returns the chosen or saved logo as a `data:` URL; `undefined` for none. */
export function logoOf(form: SettingsForm): string | undefined {
  const logo = form.value(SETTINGS.logo);
  return typeof logo === 'string' && logo !== '' ? logo : undefined;
}

/** The logo, and the buttons that choose another image or remove it. */
export function LogoSetting({ form }: { readonly form: SettingsForm }) {
  const { t, i18n } = useTranslation('sign-in');
  const input = useRef<HTMLInputElement>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const [problem, setProblem] = useState<LogoProblem | 'unreadable'>();
  const logo = logoOf(form);
  const print = (count: number): string => new Intl.NumberFormat(i18n.language).format(count);
  const wrong = problem === undefined ? findProblemAt(form.error, SETTINGS.logo) : t(`look.logo.${problem}`);

  async function choose(file: File): Promise<void> {
    try {
      const read = await readLogo(file);
      setProblem(read.kind === 'problem' ? read.problem : undefined);
      if (read.kind === 'logo') form.set(SETTINGS.logo, read.url);
    } catch {
      setProblem('unreadable');
    }
  }

  return (
    <SectionCard
      title={t('setting.logo')}
      about={t('look.logo.about', {
        bytes: print(MAX_LOGO_BYTES),
        least: print(MIN_LOGO_PIXELS),
        most: print(MAX_LOGO_PIXELS),
      })}
    >
      {logo === undefined ? (
        <Typography color="textSecondary">{t('look.logo.none')}</Typography>
      ) : (
        <Box
          component="img"
          src={logo}
          alt={t('setting.logo')}
          sx={{ alignSelf: 'start', maxWidth: '100%', maxHeight: 64, objectFit: 'contain' }}
        />
      )}
      {wrong !== undefined && <Alert severity="error">{wrong}</Alert>}
      {form.mayOwn && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <Button ref={chooseButton} variant="outlined" onClick={() => input.current?.click()}>
            {t('look.logo.choose')}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            accept=".png,image/png"
            aria-label={t('look.logo.choose')}
            onChange={({ target }) => {
              const file = target.files?.[0];
              // Otherwise the browser reports no change if the user chooses the same file again.
              target.value = '';
              if (file !== undefined) void choose(file);
            }}
          />
          {logo !== undefined && (
            <Button
              onClick={() => {
                form.set(SETTINGS.logo, '');
                setProblem(undefined);
                // The button that has the focus disappears.
                chooseButton.current?.focus();
              }}
            >
              {t('look.logo.remove')}
            </Button>
          )}
        </Box>
      )}
    </SectionCard>
  );
}
