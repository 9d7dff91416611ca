import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { followChildPage, type LivePage } from '../../api/data.ts';
import { type StreamState, useStream } from '../../api/query-state.ts';
import { mainDatabaseOf } from '../../session/databases.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { type Command, useCommands } from '../../shell/commands.ts';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/sections.tsx';
import { Failure, LoadingBar } from '../../ui/states.tsx';
import { Attention } from './attention.tsx';
import { BusiestPaths } from './busiest-paths.tsx';
import { ConnectApp } from './connect-app.tsx';
import { Contents } from './contents.tsx';
import { Figures } from './figures.tsx';
import { LiveCards } from './live-cards.tsx';
import { RecentChanges } from './recent-changes.tsx';

/** Number of children that the setup steps show. */
const SHOWN = 20;

/** Follows the first children of a database. */
export function useFirstPage(database: string): {
  readonly page: LivePage | undefined;
  readonly state: StreamState;
} {
  const api = useApi();
  const [page, setPage] = useState<LivePage>();
  const open = useCallback(
    (signal: AbortSignal) =>
      followChildPage(api, database, { path: '/', position: { kind: 'first' }, limit: SHOWN }, signal),
    [api, database],
  );
  const state = useStream(open, setPage);
  return { page, state };
}

/** Loaded on demand, because it is needed only for an empty database or on request. */
const FirstRun = lazy(async () => ({ default: (await import('./first-run.tsx')).FirstRun }));

/** The parameter of the address that shows the steps. */
const STEPS = 'steps';

/**
 * The first view of a project: three setup steps if its main database is empty, otherwise activity, problems, changes and
 * data.
 */
export function OverviewPage() {
  const { t } = useTranslation('overview');
  const project = useProjectId();
  const database = mainDatabaseOf(project);
  const { page, state } = useFirstPage(database);
  const [parameters, setParameters] = useSearchParams();
  // Once the database was empty, the steps stay visible until the member leaves them.
  const [wasEmpty, setWasEmpty] = useState(false);
  if (page?.node === null && !wasEmpty) setWasEmpty(true);
  const isRequested = parameters.has(STEPS);
  const showsSteps = wasEmpty || isRequested;
  const commands = useMemo(
    (): readonly Command[] => [
      {
        id: 'overview.steps',
        title: t('steps'),
        group: t('title'),
        run: () => setParameters({ [STEPS]: '' }),
      },
    ],
    [t, setParameters],
  );
  useCommands(commands);

  function leaveSteps(): void {
    setWasEmpty(false);
    setParameters({});
  }
  return (
    <Page
      title={showsSteps ? t('welcome') : t('title')}
      actions={
        showsSteps ? (
          page?.node != null && <Button onClick={leaveSteps}>{t('toOverview')}</Button>
        ) : (
          <Button variant="outlined" onClick={() => setParameters({ [STEPS]: '' })}>
            {t('steps')}
          </Button>
        )
      }
    >
      {state.kind === 'forbidden' && <Failure error={state.error} />}
      {page === undefined && state.kind !== 'forbidden' && <LoadingBar />}
      {page !== undefined && showsSteps && (
        <Suspense fallback={<LoadingBar />}>
          <FirstRun database={database} page={page} />
        </Suspense>
      )}
      {page !== undefined && !showsSteps && (
        <>
          <Figures database={database} />
          <LiveCards database={database} />
          <Box
            sx={{
              display: 'grid',
              gap: 2,
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
            }}
          >
            <Attention database={database} />
            <RecentChanges database={database} />
            <BusiestPaths database={database} />
            <Contents database={database} page={page} />
          </Box>
          <SectionCard title={t('connect.title')}>
            <ConnectApp database={database} />
          </SectionCard>
        </>
      )}
    </Page>
  );
}
