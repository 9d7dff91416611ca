import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { Loaded } from '../../elements/loaded.tsx';
import { NotFoundPage } from '../../elements/not-found-page.tsx';
import { Page } from '../../elements/page.tsx';
import { SectionTabs } from '../../elements/section-tabs.tsx';
import { areaAddress } from '../../routes/addresses.ts';
import { useProjectId, useRights } from '../../session/session.ts';
import { DomainsSection } from './domains-section.tsx';
import { MailSection } from './mail-section.tsx';
import { MethodsSection } from './methods-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SECTIONS, type Section } from './sections.ts';
import { TemplatesSection } from './templates-section.tsx';
import { useSectionCommands } from './use-section-commands.ts';
import { type SettingsForm, useSettingsForm } from './use-settings-form.ts';

const VIEWS: Readonly<Record<Section, React.ComponentType<{ readonly form: SettingsForm }>>> = {
  methods: MethodsSection,
  domains: DomainsSection,
  passwords: PasswordSection,
  'second-factor': SecondFactorSection,
  mail: MailSection,
  templates: TemplatesSection,
};

/** How people sign in to the apps of the project. */
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
      <SectionTabs
        label={t('sections')}
        current={current}
        sections={SECTIONS.map((id) => ({
          id,
          title: t(`section.${id}`),
          address: `${areaAddress(project, 'sign-in')}/${id}`,
        }))}
      />
      {mayChange && !mayOwn ? (
        <Alert severity="info">{t('ownersOnly')}</Alert>
      ) : (
        !mayChange && <Alert severity="info">{t('lookOnly')}</Alert>
      )}
      {/* What is changed in one section and not saved does not go along to another. */}
      <SettingsSection key={current} section={current} />
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
        maxWidth: section === 'templates' ? 1_440 : 960,
      }}
    >
      <Loaded of={form}>{(ready) => <View form={ready} />}</Loaded>
    </Box>
  );
}
