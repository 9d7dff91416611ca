import { LANGUAGES } from '@hearth/pages/shell/document.ts';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { useProjectId } from '../../../session/session.ts';
import { SectionCard } from '../../../ui/sections.tsx';
import { MailQueueCard } from './mail-queue.tsx';
import { SaveBar } from './save-bar.tsx';
import { SendTest } from './send-test.tsx';
import { SETTINGS, type SettingsForm } from './settings-form.ts';

const TEXTS = ['appName', 'senderName', 'replyTo', 'callbackUri'] as const;

/** The form for the sender of emails, the default language, and the address that links in emails open. */
function MailSenderCard({ form }: { readonly form: SettingsForm }) {
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

/** The project's own mail server, as typed. */
export interface Smtp {
  readonly senderEmail: string;
  readonly host: string;
  readonly port: string;
  readonly username: string;
  /** Empty to keep the stored password. */
  readonly password: string;
  readonly securityMode: SecurityMode;
}

/** TLS from the start, TLS after STARTTLS, or no encryption. */
const SECURITY_MODES = ['SSL', 'START_TLS', 'NONE'] as const;
export type SecurityMode = (typeof SECURITY_MODES)[number];

/** Default ports by security mode. */
const DEFAULT_PORTS: Readonly<Record<SecurityMode, string>> = {
  SSL: '465',
  START_TLS: '587',
  NONE: '25',
};

function decodeSmtp(json: unknown): Smtp {
  const members: Readonly<Record<string, unknown>> = Object(json);
  const text = (name: string): string => (members[name] === undefined ? '' : String(members[name]));
  const securityMode = SECURITY_MODES.find((mode) => mode === members['securityMode']) ?? 'SSL';
  return {
    senderEmail: text('senderEmail'),
    host: text('host'),
    port: text('port') || DEFAULT_PORTS[securityMode],
    username: text('username'),
    password: text('password'),
    securityMode,
  };
}

/** Returns the server in the format of the configuration; empty if it has neither a host nor a sender. */
function encodeSmtp({ port, username, password, ...smtp }: Smtp): Readonly<Record<string, unknown>> {
  if (smtp.host === '' && smtp.senderEmail === '') return {};
  return {
    ...smtp,
    port: Number(port),
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
  };
}

const FIELDS = ['senderEmail', 'host', 'port', 'username', 'password'] as const;

/** The form for the project's own mail server. */
function SmtpForm({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const smtp = decodeSmtp(form.value(SETTINGS.smtp));
  const change = (part: Partial<Smtp>): void => form.set(SETTINGS.smtp, encodeSmtp({ ...smtp, ...part }));
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
      {FIELDS.map((field) => (
        <TextField
          key={field}
          label={t(`smtp.${field}`)}
          value={smtp[field]}
          type={field === 'password' ? 'password' : 'text'}
          autoComplete={field === 'password' ? 'new-password' : 'off'}
          helperText={field === 'password' ? t('smtp.passwordHint') : undefined}
          onChange={(event) => change({ [field]: event.target.value })}
          slotProps={{
            input: { readOnly: !form.mayOwn },
            htmlInput: { dir: 'ltr', spellCheck: false, inputMode: field === 'port' ? 'numeric' : 'text' },
          }}
        />
      ))}
      <TextField
        select
        label={t('smtp.securityMode')}
        value={smtp.securityMode}
        disabled={!form.mayOwn}
        onChange={(event) => {
          const securityMode = SECURITY_MODES.find((mode) => mode === event.target.value) ?? 'SSL';
          const isDefault = Object.values(DEFAULT_PORTS).includes(smtp.port);
          change({ securityMode, ...(isDefault ? { port: DEFAULT_PORTS[securityMode] } : {}) });
        }}
      >
        {SECURITY_MODES.map((mode) => (
          <MenuItem key={mode} value={mode}>
            {t(`smtp.security.${mode}`)}
          </MenuItem>
        ))}
      </TextField>
    </Box>
  );
}

const METHODS = ['DEFAULT', 'CUSTOM_SMTP'] as const;

/** The section for the mail server, the sender and the queue. */
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
