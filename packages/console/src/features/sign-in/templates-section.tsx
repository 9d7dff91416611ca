import { LANGUAGES } from '@hearth/pages/shell/language.ts';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { SectionCard } from '../../elements/section-card.tsx';
import { MAIL_KINDS } from '../../server/mail.ts';
import { MailPreviewCard } from './mail-preview-card.tsx';
import { decodeWords, encodeWords } from './mail-words.ts';
import { SaveBar } from './save-bar.tsx';
import { SendTest } from './send-test.tsx';
import { SETTINGS, TEMPLATES_PATH } from './settings.ts';
import { useLate } from './use-late.ts';
import type { SettingsForm } from './use-settings-form.ts';
import { WordsForm } from './words-form.tsx';

/** Long enough that a preview is not made for every letter, in ms. */
const PAUSE_MS = 300;

/** The words of each mail in each language, beside how they look. */
export function TemplatesSection({ form }: { readonly form: SettingsForm }) {
  const { t, i18n } = useTranslation('sign-in');
  const [parameters, setParameters] = useSearchParams();
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  const mail = MAIL_KINDS.find((known) => known === parameters.get('mail')) ?? MAIL_KINDS[0];
  const wanted = parameters.get('language') ?? String(form.value(SETTINGS.locale) ?? 'en');
  const language = LANGUAGES.find((known) => known === wanted) ?? 'en';
  const path = `${TEMPLATES_PATH}.${mail}.${language}`;
  const words = decodeWords(form.value(path));
  const template = encodeWords(words);
  const hasWords = Object.keys(template).length > 0;
  // Emptied words are tried as such; those that were never there leave the official templates in sight.
  const isTried = hasWords || form.edits[path] !== undefined;
  const sample = useLate({ mail, language, ...(isTried ? { template } : {}) }, PAUSE_MS);
  const choose = (name: string, value: string): void =>
    setParameters(
      (before) => new URLSearchParams([...[...before].filter(([other]) => other !== name), [name, value]]),
      {
        replace: true,
      },
    );
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>
        <TextField
          select
          label={t('templates.mail')}
          value={mail}
          onChange={(event) => choose('mail', event.target.value)}
          sx={{ minWidth: 260 }}
        >
          {MAIL_KINDS.map((kind) => (
            <MenuItem key={kind} value={kind}>
              {t(`mail.${kind}`)}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          select
          label={t('templates.language')}
          value={language}
          onChange={(event) => choose('language', event.target.value)}
          sx={{ minWidth: 180 }}
        >
          {LANGUAGES.map((one) => (
            <MenuItem key={one} value={one}>
              {names.of(one) ?? one}
            </MenuItem>
          ))}
        </TextField>
      </Box>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' },
        }}
      >
        <SectionCard title={t('templates.words')} about={t(hasWords ? 'templates.own' : 'templates.usual')}>
          <WordsForm
            mail={mail}
            language={language}
            words={words}
            mayChange={form.mayOwn}
            change={(part) => form.set(path, encodeWords({ ...words, ...part }))}
            clear={hasWords ? () => form.set(path, {}) : null}
          />
        </SectionCard>
        <Box sx={{ display: 'grid', gap: 2 }}>
          <MailPreviewCard sample={sample} />
          {form.mayOwn && (
            <SectionCard title={t('test.title')} about={t('test.aboutTemplate')}>
              <SendTest sample={sample} />
            </SectionCard>
          )}
        </Box>
      </Box>
      <SaveBar form={form} />
    </>
  );
}
