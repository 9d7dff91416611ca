import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { testFunction } from '../../../api/settings.ts';
import { CopyButton } from '../../../ui/copy-and-save.tsx';
import { SectionCard } from '../../../ui/sections.tsx';
import { CodeText, UntrustedText } from '../../../ui/text.tsx';
import { ConnectionTest } from './connection-test.tsx';
import { SaveBar } from './save-bar.tsx';
import { FlagSetting, TextSetting } from './setting-fields.tsx';
import { SETTINGS, type SettingsForm } from './settings-form.ts';

/** The events before which the server calls a function, with the settings for each. */
const EVENTS = [
  { event: 'beforeCreate', audience: 'beforeCreateAudience', open: null },
  { event: 'beforeSignIn', audience: 'beforeSignInAudience', open: null },
  { event: 'beforeSendEmail', audience: 'beforeSendEmailAudience', open: 'beforeSendEmailOpen' },
  { event: 'beforeSendSms', audience: 'beforeSendSmsAudience', open: 'beforeSendSmsOpen' },
] as const;

/** The path of the keys with which functions verify that a request comes from this server. */
const KEYS_PATH = '/.well-known/jwks.json';

/**
 * Returns whether a text may be the address of a function. The server decides whether http: is allowed, as in
 * development mode.
 */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return (url?.protocol === 'https:' || url?.protocol === 'http:') && url.username === '';
}

/** The section for functions that may reject or change new accounts and sign-ins, or reject messages. */
export function FunctionsSection({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const problemOf = (path: string): string | undefined => {
    const text = String(form.value(path) ?? '').trim();
    return text === '' || isWebAddress(text) ? undefined : t('functions.notAddress');
  };
  const paths = EVENTS.flatMap(({ event, audience }) => [SETTINGS[event], SETTINGS[audience]]);
  const keys = `${location.origin}${KEYS_PATH}`;
  return (
    <>
      <SectionCard title={t('functions.keys')} about={t('functions.about.keys')}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
          <CodeText>{keys}</CodeText>
          <CopyButton text={keys} label={t('functions.copyKeys')} />
        </Box>
      </SectionCard>
      {EVENTS.map(({ event, audience, open }) => (
        <SectionCard key={event} title={t(`functions.${event}`)} about={t(`functions.about.${event}`)}>
          {([event, audience] as const).map((name) => (
            <TextSetting
              key={name}
              form={form}
              name={name}
              about={t(name === event ? 'functions.about.address' : 'functions.about.audience')}
              placeholder="https://functions.example.com"
              isReadOnly={!form.mayOwn}
              problem={problemOf(SETTINGS[name])}
            />
          ))}
          {open !== null && form.value(SETTINGS[event]) !== undefined && (
            <FlagSetting
              form={form}
              name={open}
              about={t('functions.about.open')}
              isReadOnly={!form.mayOwn}
            />
          )}
          <FunctionTest form={form} event={event} />
        </SectionCard>
      ))}
      <SaveBar form={form} problem={paths.map(problemOf).find((problem) => problem !== undefined)} />
    </>
  );
}

interface FunctionTestProps {
  readonly form: SettingsForm;
  readonly event: (typeof EVENTS)[number]['event'];
}

/** The test of a function that is saved. */
function FunctionTest({ form, event }: FunctionTestProps) {
  const { t, i18n } = useTranslation('sign-in');
  const path = SETTINGS[event];
  const isSaved = form.value(path) !== undefined && form.edits[path] === undefined;
  if (!isSaved || !form.mayChange) return null;
  return (
    <ConnectionTest
      label={`${t('providers.test.run')}: ${t(`functions.${event}`)}`}
      about={t('functions.about.test')}
      test={async (api, project) => {
        const { outcome, message, durationMs } = await testFunction(api, project, event);
        const number = new Intl.NumberFormat(i18n.language).format(durationMs);
        return [
          {
            key: outcome,
            isGood: outcome !== 'failed',
            content: (
              <>
                <Typography component="span" variant="body2">
                  {t(`functions.outcome.${outcome}`, { number })}
                </Typography>{' '}
                {message !== null && <UntrustedText text={message} />}
              </>
            ),
          },
        ];
      }}
    />
  );
}
