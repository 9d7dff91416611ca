import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { NotFoundPage } from '../../elements/not-found-page.tsx';
import { Page } from '../../elements/page.tsx';
import { SectionTabs } from '../../elements/section-tabs.tsx';
import { areaAddress } from '../../routes/addresses.ts';
import { useProjectId, useRights, useSession } from '../../session/session.ts';
import { DatabasesSection } from './databases-section.tsx';
import { EraseSection } from './erase-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { MembersSection } from './members-section.tsx';
import { NotNeeded } from './not-needed.tsx';
import { OwnersOnly } from './owners-only.tsx';
import { SECTIONS, type Section } from './sections.ts';
import { ServiceAccountsSection } from './service-accounts-section.tsx';

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
