import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../ui/sections.tsx';
import { SaveBar } from './save-bar.tsx';
import { TextSetting } from './setting-fields.tsx';
import { SETTINGS, type SettingsForm } from './settings-form.ts';

/** The events before which the server calls a function, with the settings for each. */
const EVENTS = [
  { event: 'beforeCreate', audience: 'beforeCreateAudience' },
  { event: 'beforeSignIn', audience: 'beforeSignInAudience' },
] as const;

/**
 * Returns whether a text may be the address of a function. The server decides whether http: is allowed, as in
 * development mode.
 */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return (url?.protocol === 'https:' || url?.protocol === 'http:') && url.username === '';
}

/** The section for functions that may reject or change new accounts and sign-ins. */
export function FunctionsSection({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const problemOf = (path: string): string | undefined => {
    const text = String(form.value(path) ?? '').trim();
    return text === '' || isWebAddress(text) ? undefined : t('functions.notAddress');
  };
  const paths = EVENTS.flatMap(({ event, audience }) => [SETTINGS[event], SETTINGS[audience]]);
  return (
    <>
      {EVENTS.map(({ event, audience }) => (
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
        </SectionCard>
      ))}
      <SaveBar form={form} problem={paths.map(problemOf).find((problem) => problem !== undefined)} />
    </>
  );
}
