import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { followChildPage, type LivePage } from '../../api/data.ts';
import { type StreamState, useStream } from '../../api/query-state.ts';
import { mainDatabaseOf } from '../../session/databases.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { type Command, useCommands } from '../../shell/commands.ts';
import { Page } from '../../ui/page.tsx';
import { Failure, LoadingBar } from '../../ui/states.tsx';
import { ConnectApp } from './connect-app.tsx';
import { FiguresGrid } from './figures.tsx';
import { FirstData } from './first-data.tsx';

/** Children that are shown at once. */
const SHOWN = 20;

/** The first children of a database as they are now. */
export function useFirstPage(database: string): {
  readonly page: LivePage | undefined;
  readonly state: StreamState;
} {
  const api = useApi();
  const [page, setPage] = useState<LivePage>();
  const open = useCallback(
    (signal: AbortSignal) =>
      followChildPage(api, database, { path: '/', place: { kind: 'first' }, limit: SHOWN }, signal),
    [api, database],
  );
  const state = useStream(open, setPage);
  return { page, state };
}

/** Needed by whoever begins. */
const FirstRun = lazy(async () => ({ default: (await import('./first-run.tsx')).FirstRun }));

/** Under which the address keeps that the steps are shown. */
const STEPS = 'steps';

/** The first view of a project: three steps while there is nothing, afterwards what there is and what goes on. */
export function OverviewPage() {
  const { t } = useTranslation('overview');
  const project = useProjectId();
  const database = mainDatabaseOf(project);
  const { page, state } = useFirstPage(database);
  const [parameters, setParameters] = useSearchParams();
  // Whoever began with nothing goes through the steps to their end.
  const [wasEmpty, setWasEmpty] = useState(false);
  if (page?.node === null && !wasEmpty) setWasEmpty(true);
  const isAsked = parameters.has(STEPS);
  const showsSteps = wasEmpty || isAsked;
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
          <FiguresGrid database={database} />
          <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xl: '1fr 1fr' } }}>
            <Box component="section" sx={{ minWidth: 0 }}>
              <Typography variant="h2">{t('see.latest')}</Typography>
              <FirstData database={database} page={page} />
            </Box>
            <Box component="section" sx={{ minWidth: 0 }}>
              <Typography variant="h2">{t('connect.title')}</Typography>
              <ConnectApp database={database} />
            </Box>
          </Box>
        </>
      )}
    </Page>
  );
}
