import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { lazy, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { loadableOf } from '../../api/query-state.ts';
import { areaAddress } from '../../session/addresses.ts';
import { useDatabases } from '../../session/databases.ts';
import { useProjectId } from '../../session/session.ts';
import { NotFoundPage, Page } from '../../ui/page.tsx';
import { SectionTabs } from '../../ui/sections.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { AlertsSection } from './alerts.tsx';
import { AuditSection } from './audit/audit-section.tsx';
import { ConnectionsSection } from './connections.tsx';
import { CostsSection } from './costs.tsx';
import { PathsSection } from './paths.tsx';
import { QueriesSection } from './queries.tsx';
import { ServerSection } from './server.tsx';

interface DatabaseChooserProps {
  /** Draws the chosen database. */
  readonly children: (database: string) => ReactNode;
}

/** Lets the user choose a database of the project. The address contains the choice; the default is the first database. */
export function DatabaseChooser({ children }: DatabaseChooserProps) {
  const { t } = useTranslation('activity');
  const [search, setSearch] = useSearchParams();
  const query = useDatabases();
  return (
    <Loaded of={loadableOf(query)}>
      {(names) => {
        const [first] = names;
        if (first === undefined)
          return <EmptyState title={t('noDatabase')}>{t('noDatabaseHint')}</EmptyState>;
        const chosen = names.find((name) => name === search.get('database')) ?? first;
        return (
          <>
            {names.length > 1 && (
              <TextField
                select
                label={t('database')}
                value={chosen}
                onChange={({ target }) => {
                  const range = search.get('range');
                  setSearch({ database: target.value, ...(range === null ? {} : { range }) });
                }}
                sx={{ alignSelf: 'start', minWidth: 240 }}
              >
                {names.map((name) => (
                  <MenuItem key={name} value={name}>
                    {name}
                  </MenuItem>
                ))}
              </TextField>
            )}
            {children(chosen)}
          </>
        );
      }}
    </Loaded>
  );
}

/** Sections of the activity page, by their names in the address. The first is the default. */
export const SECTIONS = [
  'live',
  'connections',
  'costs',
  'queries',
  'paths',
  'server',
  'alerts',
  'audit',
] as const;
export type Section = (typeof SECTIONS)[number];

/** Sections about one database. The parameter `database` of the address names it. */
export const DATABASE_SECTIONS: readonly Section[] = ['live', 'connections', 'costs', 'queries', 'paths'];

/** Loaded on demand, because the charts are larger than the rest of the page. */
const ActivityCharts = lazy(async () => ({
  default: (await import('./activity-charts.tsx')).ActivityCharts,
}));

const DATABASE_VIEWS: Readonly<Partial<Record<Section, (database: string) => ReactNode>>> = {
  live: (database) => <ActivityCharts key={database} database={database} />,
  connections: (database) => <ConnectionsSection key={database} database={database} />,
  costs: (database) => <CostsSection key={database} database={database} />,
  queries: (database) => <QueriesSection key={database} database={database} />,
  paths: (database) => <PathsSection key={database} database={database} />,
};

/** Shows the activity of a database and of the server, and the audit log of the project. */
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
        sections={SECTIONS}
        titleOf={(id) => t(`section.${id}`)}
        addressOf={(id) =>
          `${areaAddress(project, 'activity')}/${id}${DATABASE_SECTIONS.includes(id) ? suffix : ''}`
        }
      />
      {current === 'audit' && <AuditSection />}
      {current === 'alerts' && <AlertsSection />}
      {current === 'server' && <ServerSection />}
      {DATABASE_SECTIONS.includes(current) && (
        <DatabaseChooser>{(chosen) => DATABASE_VIEWS[current]?.(chosen)}</DatabaseChooser>
      )}
    </Page>
  );
}
