import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { areaAddress } from '../../../session/addresses.ts';
import { useProjectId, useRights } from '../../../session/session.ts';
import { type Command, useCommands } from '../../../shell/commands.ts';
import { NotFoundPage, Page } from '../../../ui/page.tsx';
import { SECTIONS_DIRECTION, SectionTabs } from '../../../ui/sections.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { AppCheckSection } from './app-check.tsx';
import { CaptchaSection } from './captcha.tsx';
import { DomainsSection } from './domains.tsx';
import { FunctionsSection } from './functions.tsx';
import { LookSection } from './look/look.tsx';
import { MailSection } from './mail.tsx';
import { MethodsSection, SecondFactorSection } from './methods.tsx';
import { PasskeysSection } from './passkeys.tsx';
import { PasswordSection } from './password.tsx';
import { PhoneSection } from './phone/phone.tsx';
import { TextMessagesSection } from './phone/text-messages.tsx';
import { ProvidersSection } from './providers/providers.tsx';
import { type SettingsForm, useSettingsForm } from './settings-form.ts';
import { TemplatesSection } from './templates.tsx';

/** Sections of the sign-in settings, by their names in the address. The first is the default. */
export const SECTIONS = [
  'methods',
  'domains',
  'passwords',
  'second-factor',
  'mail',
  'templates',
  'providers',
  'phone',
  'text-messages',
  'passkeys',
  'captcha',
  'app-check',
  'functions',
  'look',
] as const;
export type Section = (typeof SECTIONS)[number];

/** Sections beyond this number have no keys of their own, because a key is one digit. */
const MAX_NUMBERED = 9;

/** Registers commands that open the sections. */
export function useSectionCommands(): void {
  const { t } = useTranslation('sign-in');
  const navigate = useNavigate();
  const project = useProjectId();
  const commands = useMemo(
    () =>
      SECTIONS.map(
        (section, index): Command => ({
          id: `sign-in.${section}`,
          title: t(`section.${section}`),
          group: t('title'),
          ...(index < MAX_NUMBERED ? { keys: `s ${index + 1}` } : {}),
          run: () => void navigate(`${areaAddress(project, 'sign-in')}/${section}`),
        }),
      ),
    [t, navigate, project],
  );
  useCommands(commands);
}

const VIEWS: Readonly<Record<Section, React.ComponentType<{ readonly form: SettingsForm }>>> = {
  methods: MethodsSection,
  domains: DomainsSection,
  passwords: PasswordSection,
  'second-factor': SecondFactorSection,
  mail: MailSection,
  templates: TemplatesSection,
  providers: ProvidersSection,
  phone: PhoneSection,
  'text-messages': TextMessagesSection,
  passkeys: PasskeysSection,
  captcha: CaptchaSection,
  'app-check': AppCheckSection,
  functions: FunctionsSection,
  look: LookSection,
};

/** The page with the settings for signing in to the apps of the project. */
export function SignInSettingsPage() {
  const { t } = useTranslation('sign-in');
  const project = useProjectId();
  const { mayChange, mayOwn } = useRights();
  const { section = SECTIONS[0] } = useParams();
  useSectionCommands();
  const current = SECTIONS.find((known) => known === section);
  if (current === undefined) return <NotFoundPage />;
  return (
    <Page title={t('title')}>
      {mayChange && !mayOwn ? (
        <Alert severity="info">{t('ownersOnly')}</Alert>
      ) : (
        !mayChange && <Alert severity="info">{t('lookOnly')}</Alert>
      )}
      <Box sx={{ display: 'flex', flexDirection: SECTIONS_DIRECTION, gap: { xs: 2, lg: 3 } }}>
        <SectionTabs
          label={t('sections')}
          sections={SECTIONS}
          current={current}
          titleOf={(id) => t(`section.${id}`)}
          addressOf={(id) => `${areaAddress(project, 'sign-in')}/${id}`}
        />
        {/* The key discards unsaved changes when the user opens another section. */}
        <SettingsSection key={current} section={current} />
      </Box>
    </Page>
  );
}

function SettingsSection({ section }: { readonly section: Section }) {
  const form = useSettingsForm();
  const View = VIEWS[section];
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: 'column',
        gap: 2,
        flex: 1,
        minWidth: 0,
        maxWidth: section === 'templates' ? 1_440 : 960,
      }}
    >
      <Loaded of={form}>{(ready) => <View form={ready} />}</Loaded>
    </Box>
  );
}
