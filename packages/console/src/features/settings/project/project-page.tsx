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

interface NotNeededProps {
  readonly what: 'keys' | 'service';
}

/** Why there is nothing in a section in development mode. */
export function NotNeeded({ what }: NotNeededProps) {
  const { t } = useTranslation('project');
  return <EmptyState title={t(`${what}.developmentTitle`)}>{t(`${what}.development`)}</EmptyState>;
}

/** In the place of what whoever is at the console may not see. */
export function OwnersOnly() {
  const { t } = useTranslation('project');
  return <EmptyState title={t('ownersOnly.title')}>{t('ownersOnly.hint')}</EmptyState>;
}

/** Sections of the page about a project, as they are in its address; the first is shown where none is named. */
export const SECTIONS = ['members', 'keys', 'service-accounts', 'databases', 'erase'] as const;
export type Section = (typeof SECTIONS)[number];

const VIEWS: Readonly<Record<Section, () => React.ReactNode>> = {
  members: MembersSection,
  keys: KeysSection,
  'service-accounts': ServiceAccountsSection,
  databases: DatabasesSection,
  erase: EraseSection,
};

/** The server shows them to nobody else. */
const FOR_OWNERS: ReadonlySet<Section> = new Set(['keys', 'service-accounts']);

/** In development mode some have nothing to show, because everything is let in. */
const OPEN_VIEWS: Readonly<Partial<Record<Section, () => React.ReactNode>>> = {
  keys: () => <NotNeeded what="keys" />,
  'service-accounts': () => <NotNeeded what="service" />,
};

/** Who and what may work on a project, and what it consists of. */
export function ProjectPage() {
  const { t } = useTranslation('project');
  const project = useProjectId();
  const { parameters } = useSession();
  const { mayOwn } = useRights();
  const { section = SECTIONS[0] } = useParams();
  const current = SECTIONS.find((known) => known === section);
  if (current === undefined) return <NotFoundPage />;
  const open = parameters.mode === 'development' ? OPEN_VIEWS[current] : undefined;
  const View = !mayOwn && FOR_OWNERS.has(current) ? OwnersOnly : (open ?? VIEWS[current]);
  return (
    <Page title={t('title', { project })}>
      <SectionTabs
        label={t('sections')}
        current={current}
        sections={SECTIONS.map((id) => ({
          id,
          title: t(`section.${id}`),
          address: `${areaAddress(project, 'settings')}/${id}`,
        }))}
      />
      <View />
    </Page>
  );
}
