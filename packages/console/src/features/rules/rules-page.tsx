import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import Paper from '@mui/material/Paper';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useNavigate, useParams } from 'react-router';
import { loadableOf } from '../../api/query-state.ts';
import { rulesAddress } from '../../session/addresses.ts';
import { useDatabases } from '../../session/databases.ts';
import { useProjectId } from '../../session/session.ts';
import { type Command, useCommands } from '../../shell/commands.ts';
import { NotFoundPage, Page } from '../../ui/page.tsx';
import { SectionTabs } from '../../ui/sections.tsx';
import { EmptyState, Loaded, LoadingBar } from '../../ui/states.tsx';
import { UntrustedText } from '../../ui/text.tsx';

/**
 * Redirects to the rules of the only database, or lets the user choose one of several. If the project has no database,
 * links to the rules of its default database.
 */
export function ChooseRules() {
  const { t } = useTranslation('rules');
  const project = useProjectId();
  const databases = loadableOf(useDatabases());
  const first = `${project}-default-rtdb`;
  return (
    <Page title={t('choose.title')}>
      <Loaded of={databases}>
        {(names) => {
          const [only, ...others] = names;
          if (only !== undefined && others.length === 0)
            return <Navigate replace to={rulesAddress(project, only)} />;
          if (only === undefined)
            return (
              <EmptyState
                title={t('choose.none')}
                action={
                  <Button variant="contained" component={Link} to={rulesAddress(project, first)}>
                    {t('choose.first', { database: first })}
                  </Button>
                }
              >
                {t('choose.noneHint')}
              </EmptyState>
            );
          return (
            <Paper variant="outlined">
              <List aria-label={t('choose.title')}>
                {names.map((name) => (
                  <li key={name}>
                    <ListItemButton component={Link} to={rulesAddress(project, name)}>
                      <ListItemText primary={<UntrustedText isCode text={name} />} />
                    </ListItemButton>
                  </li>
                ))}
              </List>
            </Paper>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** The tabs of the rules page, by their names in the address. */
export const RULES_TABS = ['edit', 'versions', 'denials', 'simulator', 'cases'] as const;
export type RulesTab = (typeof RULES_TABS)[number];

/** Registers commands that open the tabs of the rules page. */
export function useTabCommands(database: string): void {
  const { t } = useTranslation('rules');
  const navigate = useNavigate();
  const project = useProjectId();
  const commands = useMemo(
    () =>
      RULES_TABS.map(
        (tab, index): Command => ({
          id: `rules.${tab}`,
          title: t('commands.tab', { tab: t(`tab.${tab}`) }),
          group: t('commands.group'),
          keys: `alt+${index + 1}`,
          run: () => void navigate(rulesAddress(project, database, tab)),
        }),
      ),
    [t, navigate, project, database],
  );
  useCommands(commands);
}

interface TabProps {
  readonly database: string;
}

/** Each tab is loaded when it is first opened, because editors are large. */
const TABS: Readonly<Record<RulesTab, React.ComponentType<TabProps>>> = {
  edit: lazy(async () => ({ default: (await import('./editor/edit-tab.tsx')).EditTab })),
  versions: lazy(async () => ({ default: (await import('./versions/versions-tab.tsx')).VersionsTab })),
  denials: lazy(async () => ({ default: (await import('./denials/denials-tab.tsx')).DenialsTab })),
  simulator: lazy(async () => ({ default: (await import('./simulator/simulator-tab.tsx')).SimulatorTab })),
  cases: lazy(async () => ({ default: (await import('./cases/cases-tab.tsx')).CasesTab })),
};

/** The rules page of the database in the address. If the address names no database, shows `ChooseRules`. */
export function RulesPage() {
  const { database, tab = RULES_TABS[0] } = useParams();
  const current = RULES_TABS.find((known) => known === tab);
  if (current === undefined) return <NotFoundPage />;
  // The key resets the state of tabs when the database changes.
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
        sections={RULES_TABS}
        current={tab}
        titleOf={(id) => t(`tab.${id}`)}
        addressOf={(id) => rulesAddress(project, database, id)}
      />
      <Suspense fallback={<LoadingBar />}>
        <Tab database={database} />
      </Suspense>
    </Page>
  );
}
