import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { areaAddress } from '../../../session/addresses.ts';
import { useProjectId, useRights, useSession } from '../../../session/session.ts';
import { NotFoundPage, Page } from '../../../ui/page.tsx';
import { SectionTabs } from '../../../ui/sections.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { DatabasesSection, EraseSection } from './databases.tsx';
import { KeysSection } from './keys.tsx';
import { MembersSection } from './members.tsx';
import { ServiceAccountsSection } from './service-accounts.tsx';
import { TenantsSection } from './tenants.tsx';

interface NotNeededProps {
  readonly what: 'keys' | 'service';
}

/** Explains why a section is empty in development mode. */
export function NotNeeded({ what }: NotNeededProps) {
  const { t } = useTranslation('project');
  return <EmptyState title={t(`${what}.developmentTitle`)}>{t(`${what}.development`)}</EmptyState>;
}

/** Shown instead of a section that only owners may see. */
export function OwnersOnly() {
  const { t } = useTranslation('project');
  return <EmptyState title={t('ownersOnly.title')}>{t('ownersOnly.hint')}</EmptyState>;
}

/** Sections of the project page, by their names in the address. The first is the default. */
export const SECTIONS = ['members', 'keys', 'service-accounts', 'tenants', 'databases', 'erase'] as const;
export type Section = (typeof SECTIONS)[number];

const VIEWS: Readonly<Record<Section, () => React.ReactNode>> = {
  members: MembersSection,
  keys: KeysSection,
  'service-accounts': ServiceAccountsSection,
  tenants: TenantsSection,
  databases: DatabasesSection,
  erase: EraseSection,
};

/** Sections whose data the server returns only to owners. */
const FOR_OWNERS: ReadonlySet<Section> = new Set(['keys', 'service-accounts']);

/** Views of sections that are not needed in development mode, because the server does not check credentials. */
const DEVELOPMENT_VIEWS: Readonly<Partial<Record<Section, () => React.ReactNode>>> = {
  keys: () => <NotNeeded what="keys" />,
  'service-accounts': () => <NotNeeded what="service" />,
};

/** The project page: members, keys, service accounts, tenants and databases. */
export function ProjectPage() {
  const { t } = useTranslation('project');
  const project = useProjectId();
  const { parameters } = useSession();
  const { mayOwn } = useRights();
  const { section = SECTIONS[0] } = useParams();
  const current = SECTIONS.find((known) => known === section);
  if (current === undefined) return <NotFoundPage />;
  const developmentView = parameters.mode === 'development' ? DEVELOPMENT_VIEWS[current] : undefined;
  const View = !mayOwn && FOR_OWNERS.has(current) ? OwnersOnly : (developmentView ?? VIEWS[current]);
  return (
    <Page title={t('title', { project })}>
      <SectionTabs
        label={t('sections')}
        sections={SECTIONS}
        current={current}
        titleOf={(id) => t(`section.${id}`)}
        addressOf={(id) => `${areaAddress(project, 'settings')}/${id}`}
      />
      <View />
    </Page>
  );
}
