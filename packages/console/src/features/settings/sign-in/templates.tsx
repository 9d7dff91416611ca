import { MAIL_KINDS, type MailKind, VARIABLES_OF } from '@hearth/core/api/mail-kinds.ts';
import { directionOf, LANGUAGES, type Language } from '@hearth/pages/shell/document.ts';
import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { MailTemplate } from '../../../api/settings.ts';
import { SectionCard } from '../../../ui/sections.tsx';
import { CodeText } from '../../../ui/text.tsx';
import { MailPreviewCard } from './mail-preview.tsx';
import { SaveBar } from './save-bar.tsx';
import { SendTest } from './send-test.tsx';
import { SETTINGS, type SettingsForm, TEMPLATES_PATH } from './settings-form.ts';
import { PREVIEW_PAUSE_MS, useDebounced } from './use-debounced.ts';

/** The text of an email as typed; empty fields use the default text. */
export interface TypedTemplate {
  readonly subject: string;
  readonly senderName: string;
  readonly replyTo: string;
  readonly bodyKind: BodyKind;
  readonly body: string;
}

const BODY_KINDS = ['usual', 'text', 'html'] as const;
export type BodyKind = (typeof BODY_KINDS)[number];

export function decodeTemplate(json: unknown): TypedTemplate {
  const { subject = '', senderName = '', replyTo = '', body }: MailTemplate = Object(json);
  const typed = { subject, senderName, replyTo };
  if (body === undefined) return { ...typed, bodyKind: 'usual', body: '' };
  return { ...typed, bodyKind: body.kind, body: body.kind === 'text' ? body.text : body.html };
}

/** Returns the text in the format of the configuration; empty if all fields are empty. */
export function encodeTemplate({ bodyKind, body, ...headers }: TypedTemplate): MailTemplate {
  const given = Object.entries(headers).filter(([, header]) => header.trim() !== '');
  const isDefault = bodyKind === 'usual' || body.trim() === '';
  return {
    ...Object.fromEntries(given),
    ...(isDefault
      ? {}
      : { body: bodyKind === 'text' ? { kind: 'text', text: body } : { kind: 'html', html: body } }),
  };
}

/**
 * Returns the text of a field with the line ends of the previous text, because a field turns every line end into a line feed.
 * If the previous text has carriage returns, new lines get them too.
 */
export function withLineEndsOf(before: string, text: string): string {
  const lineFeeds = text.replaceAll('\r\n', '\n');
  return before.includes('\r\n') ? lineFeeds.replaceAll('\n', '\r\n') : lineFeeds;
}

/** Returns the names between percent signs in a text that are not variables of the email, each once. */
function findUnknownVariables(mail: MailKind, text: string): readonly string[] {
  const names = [...text.matchAll(/%([A-Z][A-Z0-9_]*)%/g)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => !VARIABLES_OF[mail].some((known) => known === name));
}

/** Returns a function that explains the unknown variables of a text; `undefined` if it has none. */
function useUnknownVariables(mail: MailKind): (text: string) => string | undefined {
  const { t } = useTranslation('sign-in');
  return (text) => {
    const names = findUnknownVariables(mail, text).map((name) => `%${name}%`);
    return names.length === 0 ? undefined : t('templates.unknownVariables', { names: names.join(', ') });
  };
}

interface TemplateFormProps {
  readonly mail: MailKind;
  readonly language: Language;
  readonly typed: TypedTemplate;
  readonly mayChange: boolean;
  readonly change: (part: Partial<TypedTemplate>) => void;
  /** Restores the default text; `null` if the text is the default. */
  readonly clear: (() => void) | null;
}

/** Initial content of the body, so that the user does not forget the link. */
const FIRST_LINK = '%LINK%';

/** The form for a custom text of an email. Empty fields use the default text. */
function TemplateForm({ mail, language, typed, mayChange, change, clear }: TemplateFormProps) {
  const { t } = useTranslation('sign-in');
  const explain = useUnknownVariables(mail);
  const direction = directionOf(language);
  const variables = VARIABLES_OF[mail];
  const firstBody = variables.includes('LINK') ? FIRST_LINK : '%APP_NAME%';
  return (
    <>
      {(['subject', 'senderName', 'replyTo'] as const).map((field) => (
        <TextField
          key={field}
          label={t(`templates.${field}`)}
          value={typed[field]}
          error={explain(typed[field]) !== undefined}
          helperText={explain(typed[field])}
          onChange={(event) => change({ [field]: event.target.value })}
          slotProps={{
            input: { readOnly: !mayChange },
            htmlInput: { dir: field === 'replyTo' ? 'ltr' : direction, lang: language },
          }}
        />
      ))}
      <TextField
        select
        label={t('templates.body')}
        value={typed.bodyKind}
        disabled={!mayChange}
        onChange={(event) => {
          const bodyKind = BODY_KINDS.find((kind) => kind === event.target.value) ?? 'usual';
          change({ bodyKind, ...(typed.body === '' ? { body: firstBody } : {}) });
        }}
      >
        {BODY_KINDS.map((kind) => (
          <MenuItem key={kind} value={kind}>
            {t(`templates.bodies.${kind}`)}
          </MenuItem>
        ))}
      </TextField>
      {typed.bodyKind !== 'usual' && (
        <TextField
          multiline
          minRows={8}
          maxRows={24}
          label={t('templates.content')}
          value={typed.body}
          error={explain(typed.body) !== undefined}
          helperText={explain(typed.body)}
          onChange={(event) => change({ body: withLineEndsOf(typed.body, event.target.value) })}
          slotProps={{
            input: {
              readOnly: !mayChange,
              sx: typed.bodyKind === 'html' ? { fontFamily: MONOSPACE, fontSize: '0.875rem' } : {},
            },
            htmlInput: { dir: typed.bodyKind === 'html' ? 'ltr' : direction, lang: language },
          }}
        />
      )}
      <Typography variant="body2" color="textSecondary">
        {t('templates.variables')}{' '}
        {variables.map((name) => (
          <Box component="span" key={name} sx={{ marginInlineEnd: 1 }}>
            <CodeText>{`%${name}%`}</CodeText>
          </Box>
        ))}
      </Typography>
      {clear !== null && mayChange && (
        <Button onClick={clear} sx={{ alignSelf: 'start' }}>
          {t('templates.clear')}
        </Button>
      )}
    </>
  );
}

/** The section for the text of each email in each language, next to a preview. */
export function TemplatesSection({ form }: { readonly form: SettingsForm }) {
  const { t, i18n } = useTranslation('sign-in');
  const [parameters, setParameters] = useSearchParams();
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  const mail = MAIL_KINDS.find((known) => known === parameters.get('mail')) ?? MAIL_KINDS[0];
  const wanted = parameters.get('language') ?? String(form.value(SETTINGS.locale) ?? 'en');
  const language = LANGUAGES.find((known) => known === wanted) ?? 'en';
  const path = `${TEMPLATES_PATH}.${mail}.${language}`;
  const typed = decodeTemplate(form.value(path));
  const template = encodeTemplate(typed);
  const isCustom = Object.keys(template).length > 0;
  const explain = useUnknownVariables(mail);
  // An emptied template is sent too, so that the preview does not show the stored one. Without custom text or edits, none is
  // sent, because the project may have a template in a field of Firebase, such as `verifyEmailTemplate`.
  const sendsTemplate = isCustom || form.edits[path] !== undefined;
  const sample = useDebounced({ mail, language, ...(sendsTemplate ? { template } : {}) }, PREVIEW_PAUSE_MS);
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
        <SectionCard title={t('templates.words')} about={t(isCustom ? 'templates.own' : 'templates.usual')}>
          <TemplateForm
            mail={mail}
            language={language}
            typed={typed}
            mayChange={form.mayOwn}
            change={(part) => form.set(path, encodeTemplate({ ...typed, ...part }))}
            clear={isCustom ? () => form.set(path, {}) : null}
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
      <SaveBar
        form={form}
        problem={explain([typed.subject, typed.senderName, typed.replyTo, typed.body].join(' '))}
      />
    </>
  );
}
