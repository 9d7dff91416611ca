import { directionOf, LANGUAGES, type Language } from '@hearth/pages/shell/document.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { previewSms, type SmsSample } from '../../../../api/sms.ts';
import { SectionCard } from '../../../../ui/sections.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import { CodeText, UntrustedText } from '../../../../ui/text.tsx';
import { SaveBar } from '../save-bar.tsx';
import { SETTINGS, type SettingsForm, SMS_TEMPLATES_PATH } from '../settings-form.ts';
import { TestForm } from '../test-form.tsx';
import { PREVIEW_PAUSE_MS, useDebounced } from '../use-debounced.ts';
import { usePreview } from '../use-queue.ts';
import { SmsStatisticsCards } from './sms-statistics.tsx';
import { useSendTestSms } from './use-sms.ts';

/** Maximum number of characters of a text, as on the server. */
const MAX_LENGTH = 300;

/** The section for the text of messages in each language with a preview, and for statistics of sent messages. */
export function TextMessagesSection({ form }: { readonly form: SettingsForm }) {
  const { t, i18n } = useTranslation('sign-in');
  const [parameters, setParameters] = useSearchParams();
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  const wanted = parameters.get('language') ?? String(form.value(SETTINGS.locale) ?? 'en');
  const language = LANGUAGES.find((known) => known === wanted) ?? 'en';
  const path = `${SMS_TEMPLATES_PATH}.${language}`;
  const typed = String(form.value(path) ?? '');
  // The server stores no empty text. Without a text, it uses the default.
  const set = (text: string): void => form.set(path, text.trim() === '' ? undefined : text);
  const isEmpty = typed.trim() === '';
  const problem = isEmpty ? undefined : problemOf(typed);
  const sample = useDebounced({ language, template: isEmpty ? null : typed }, PREVIEW_PAUSE_MS);
  return (
    <>
      <SectionCard title={t('sms.text')} about={t(isEmpty ? 'sms.usual' : 'sms.own')}>
        <TextField
          select
          label={t('templates.language')}
          value={language}
          onChange={(event) =>
            setParameters(new URLSearchParams([['language', event.target.value]]), { replace: true })
          }
          sx={{ maxWidth: 240 }}
        >
          {LANGUAGES.map((one) => (
            <MenuItem key={one} value={one}>
              {names.of(one) ?? one}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          multiline
          minRows={2}
          label={t('templates.content')}
          value={typed}
          error={problem !== undefined}
          helperText={problem === undefined ? t('sms.hint') : t(`sms.problem.${problem}`)}
          onChange={(event) => set(event.target.value)}
          slotProps={{
            input: { readOnly: !form.mayOwn },
            htmlInput: { dir: directionOf(language), lang: language },
          }}
        />
        <Typography variant="body2" color="textSecondary">
          {t('templates.variables')} <CodeText>%CODE%</CodeText> <CodeText>%APP_NAME%</CodeText>
        </Typography>
        {!isEmpty && form.mayOwn && (
          <Button onClick={() => set('')} sx={{ alignSelf: 'start' }}>
            {t('templates.clear')}
          </Button>
        )}
        <SmsPreviewPart sample={sample} language={language} />
      </SectionCard>
      {form.mayOwn && (
        <SectionCard title={t('sms.testTitle')} about={t('sms.aboutTest')}>
          <SendTestSms sample={sample} problem={problem && t(`sms.problem.${problem}`)} />
        </SectionCard>
      )}
      <SmsStatisticsCards />
      <SaveBar form={form} problem={problem && t(`sms.problem.${problem}`)} />
    </>
  );
}

/** Returns the problem of the text of a message; `undefined` if the text is valid. */
export function problemOf(text: string): 'too-long' | 'no-code' | undefined {
  if (text.length > MAX_LENGTH) return 'too-long';
  return text.includes('%CODE%') ? undefined : 'no-code';
}

interface SmsPreviewPartProps {
  readonly sample: SmsSample;
  readonly language: Language;
}

/** Shows the message as its recipient sees it, and the number of messages that the service charges. */
function SmsPreviewPart({ sample, language }: SmsPreviewPartProps) {
  const { t, i18n } = useTranslation('sign-in');
  const preview = usePreview('sms', sample, previewSms);
  return (
    <Box role="group" aria-label={t('preview.title')}>
      <Loaded of={preview}>
        {({ text, segments, isUnicode }) => (
          <>
            <Box
              lang={language}
              dir={directionOf(language)}
              sx={{
                padding: 1.5,
                borderRadius: 2,
                backgroundColor: 'action.hover',
                maxWidth: 420,
                whiteSpace: 'pre-wrap',
              }}
            >
              <UntrustedText text={text} />
            </Box>
            <Typography variant="body2" color="textSecondary" sx={{ marginBlockStart: 0.5 }}>
              {t('sms.segments', { number: new Intl.NumberFormat(i18n.language).format(segments) })}
              {isUnicode && ` · ${t('sms.unicode')}`}
            </Typography>
          </>
        )}
      </Loaded>
    </Box>
  );
}

interface SendTestSmsProps {
  readonly sample: SmsSample;
  readonly problem: string | undefined;
}

function SendTestSms({ sample, problem }: SendTestSmsProps) {
  const { t } = useTranslation('sign-in');
  const send = useSendTestSms(sample);
  return (
    <TestForm
      type="tel"
      label={t('sms.to')}
      first=""
      problem={problem}
      send={send}
      accepted={(to) => t('sms.accepted', { to })}
      rejected={t('sms.rejected')}
    />
  );
}
