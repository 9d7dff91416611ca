import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { LoadingBar } from '../../elements/loading-bar.tsx';
import { NotFoundPage } from '../../elements/not-found-page.tsx';
import { Page } from '../../elements/page.tsx';
import { SectionTabs } from '../../elements/section-tabs.tsx';
import { rulesAddress } from '../../routes/addresses.ts';
import { useProjectId } from '../../session/session.ts';
import { ChooseRules } from './choose-rules.tsx';
import { RULES_TABS, type RulesTab } from './rules-tabs.ts';
import { useTabCommands } from './use-tab-commands.ts';

interface TabProps {
  readonly database: string;
}

/** Editors are heavy, so each tab is loaded when it is first looked at. */
const TABS: Readonly<Record<RulesTab, React.ComponentType<TabProps>>> = {
  edit: lazy(async () => ({ default: (await import('./edit/edit-tab.tsx')).EditTab })),
  versions: lazy(async () => ({ default: (await import('./versions/versions-tab.tsx')).VersionsTab })),
  denials: lazy(async () => ({ default: (await import('./denials/denials-tab.tsx')).DenialsTab })),
  simulator: lazy(async () => ({ default: (await import('./simulator/simulator-tab.tsx')).SimulatorTab })),
  cases: lazy(async () => ({ default: (await import('./cases/cases-tab.tsx')).CasesTab })),
};

/** Who may read and write what in a database: the rules, and what they do. */
export function RulesPage() {
  const { database, tab = RULES_TABS[0] } = useParams();
  const current = RULES_TABS.find((known) => known === tab);
  if (current === undefined) return <NotFoundPage />;
  // What a tab has in hand belongs to one database.
  return database === undefined ? (
    <ChooseRules />
  ) : (
    <RulesOf key={database} database={database} tab={current} />
  );
}

function RulesOf({ database, tab }: TabProps & { readonly tab: RulesTab }) {
  const { t } = useTranslation('rules');
  const project = useProjectId();
  useTabCommands(database);
  const Tab = TABS[tab];
  return (
    <Page title={t('title', { database })}>
      <SectionTabs
        label={t('tabs')}
        current={tab}
        sections={RULES_TABS.map((id) => ({
          id,
          title: t(`tab.${id}`),
          address: rulesAddress(project, database, id),
        }))}
      />
      <Suspense fallback={<LoadingBar />}>
        <Tab database={database} />
      </Suspense>
    </Page>
  );
}
