import { lazy, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { NotFoundPage } from '../../elements/not-found-page.tsx';
import { Page } from '../../elements/page.tsx';
import { SectionTabs } from '../../elements/section-tabs.tsx';
import { areaAddress } from '../../routes/addresses.ts';
import { useProjectId } from '../../session/session.ts';
import { AuditSection } from './audit-section.tsx';
import { ConnectionsSection } from './connections-section.tsx';
import { DatabaseChooser } from './database-chooser.tsx';
import { PathsSection } from './paths-section.tsx';
import { QueriesSection } from './queries-section.tsx';
import { DATABASE_SECTIONS, SECTIONS, type Section } from './sections.ts';
import { ServerSection } from './server-section.tsx';

/** The charts are larger than all else of the page. */
const LiveSection = lazy(async () => ({ default: (await import('./live-section.tsx')).LiveSection }));

const DATABASE_VIEWS: Readonly<Partial<Record<Section, (database: string) => ReactNode>>> = {
  live: (database) => <LiveSection key={database} database={database} />,
  connections: (database) => <ConnectionsSection key={database} database={database} />,
  queries: (database) => <QueriesSection key={database} database={database} />,
  paths: (database) => <PathsSection key={database} database={database} />,
};

/** What goes on: in a database, and in the project as far as security is concerned. */
export function ActivityPage() {
  const { t } = useTranslation('activity');
  const project = useProjectId();
  const [search] = useSearchParams();
  const { section = SECTIONS[0] } = useParams();
  const current = SECTIONS.find((known) => known === section);
  if (current === undefined) return <NotFoundPage />;
  const database = search.get('database');
  const suffix = database === null ? '' : `?${new URLSearchParams({ database })}`;
  return (
    <Page title={t('title')}>
      <SectionTabs
        label={t('sections')}
        current={current}
        sections={SECTIONS.map((id) => ({
          id,
          title: t(`section.${id}`),
          address: `${areaAddress(project, 'activity')}/${id}${DATABASE_SECTIONS.includes(id) ? suffix : ''}`,
        }))}
      />
      {current === 'audit' && <AuditSection />}
      {current === 'server' && <ServerSection />}
      {DATABASE_SECTIONS.includes(current) && (
        <DatabaseChooser>{(chosen) => DATABASE_VIEWS[current]?.(chosen)}</DatabaseChooser>
      )}
    </Page>
  );
}
