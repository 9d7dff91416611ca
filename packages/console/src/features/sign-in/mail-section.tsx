import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../elements/section-card.tsx';
import { MailQueueCard } from './mail-queue-card.tsx';
import { MailSenderCard } from './mail-sender-card.tsx';
import { SaveBar } from './save-bar.tsx';
import { SendTest } from './send-test.tsx';
import { SETTINGS } from './settings.ts';
import { SmtpForm } from './smtp-form.tsx';
import type { SettingsForm } from './use-settings-form.ts';

const METHODS = ['DEFAULT', 'CUSTOM_SMTP'] as const;

/** What sends the mails of the project, and in whose name. */
export function MailSection({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const method = METHODS.find((known) => known === form.value(SETTINGS.mailMethod)) ?? 'DEFAULT';
  const isDirty = Object.keys(form.edits).length > 0;
  return (
    <>
      <SectionCard title={t('smtp.title')}>
        <RadioGroup
          aria-label={t('smtp.title')}
          value={method}
          onChange={(event) => form.set(SETTINGS.mailMethod, event.target.value)}
        >
          {METHODS.map((one) => (
            <FormControlLabel
              key={one}
              value={one}
              disabled={!form.mayOwn}
              control={<Radio />}
              label={t(`smtp.${one}`)}
            />
          ))}
        </RadioGroup>
        {method === 'CUSTOM_SMTP' && <SmtpForm form={form} />}
      </SectionCard>
      <MailSenderCard form={form} />
      {form.mayOwn && (
        <SectionCard title={t('test.title')} about={t('test.about')}>
          <SendTest problem={isDirty ? t('test.saveFirst') : undefined} />
        </SectionCard>
      )}
      <MailQueueCard />
      <SaveBar form={form} />
    </>
  );
}
