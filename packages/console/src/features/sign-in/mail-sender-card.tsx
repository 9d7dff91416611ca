import { LANGUAGES } from '@hearth/pages/shell/language.ts';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../elements/section-card.tsx';
import { useProjectId } from '../../session/session.ts';
import { SETTINGS } from './settings.ts';
import type { SettingsForm } from './use-settings-form.ts';

const TEXTS = ['appName', 'senderName', 'replyTo', 'callbackUri'] as const;

/** In whose name mails are written, in which language, and where they lead. */
export function MailSenderCard({ form }: { readonly form: SettingsForm }) {
  const { t, i18n } = useTranslation('sign-in');
  const project = useProjectId();
  const languages = new Intl.DisplayNames(i18n.language, { type: 'language' });
  const locale = String(form.value(SETTINGS.locale) ?? 'en');
  const known: readonly string[] = LANGUAGES;
  return (
    <SectionCard title={t('sender.title')}>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        {TEXTS.map((name) => (
          <TextField
            key={name}
            label={t(`setting.${name}`)}
            helperText={t(`sender.about.${name}`, { project })}
            value={String(form.value(SETTINGS[name]) ?? '')}
            onChange={(event) => form.set(SETTINGS[name], event.target.value)}
            slotProps={{
              input: { readOnly: !form.mayOwn },
              htmlInput: {
                dir: name === 'appName' || name === 'senderName' ? 'auto' : 'ltr',
                spellCheck: false,
              },
            }}
          />
        ))}
        <TextField
          select
          label={t('setting.locale')}
          helperText={t('sender.about.locale')}
          value={locale}
          onChange={(event) => form.set(SETTINGS.locale, event.target.value)}
          slotProps={{ input: { readOnly: !form.mayOwn } }}
        >
          {(known.includes(locale) ? known : [...known, locale]).map((language) => (
            <MenuItem key={language} value={language}>
              {languages.of(language.replace('_', '-')) ?? language}
            </MenuItem>
          ))}
        </TextField>
      </Box>
    </SectionCard>
  );
}
