import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { listQueries, readAlerts, readServerActivity } from '../../api/activity.ts';
import { listDenials } from '../../api/denials.ts';
import { type Loadable, loadable } from '../../api/query-state.ts';
import { readCurrentRules } from '../../api/rules.ts';
import { listDeadMails } from '../../api/settings.ts';
import { useApi, useProjectId, useSession } from '../../session/session.ts';
import { MAX_DENIALS, type Problem, problemsOf } from './problems.ts';

const REFRESH_MS = 15_000;

/**
 * Finds problems of a database, its project and the server. Ignores data that cannot be loaded, such as data that the member
 * may not read. Fails only if no data can be loaded.
 */
export function useProblems(database: string): Loadable<readonly Problem[]> {
  const api = useApi();
  const project = useProjectId();
  const { mode } = useSession().parameters;
  const refetchInterval = REFRESH_MS;
  const rules = useQuery({
    queryKey: ['overview', 'rules', database],
    queryFn: () => readCurrentRules(api, database),
    enabled: mode === 'serve',
    refetchInterval,
  });
  const denials = useQuery({
    queryKey: ['overview', 'denials', database],
    queryFn: () => listDenials(api, database, {}, MAX_DENIALS),
    refetchInterval,
  });
  const queries = useQuery({
    queryKey: ['queries', database],
    queryFn: () => listQueries(api, database),
    refetchInterval,
  });
  const server = useQuery({
    queryKey: ['server-activity'],
    queryFn: () => readServerActivity(api),
    refetchInterval,
  });
  const mails = useQuery({
    queryKey: ['mail', project, 'dead'],
    queryFn: () => listDeadMails(api, project),
    refetchInterval,
  });
  const alerts = useQuery({
    queryKey: ['alerts', project],
    queryFn: () => readAlerts(api, project),
    refetchInterval,
  });
  const sources: readonly UseQueryResult<unknown>[] = [
    denials,
    queries,
    server,
    mails,
    alerts,
    ...(mode === 'serve' ? [rules] : []),
  ];
  const findings = {
    rules: rules.data,
    denials: denials.data,
    queries: queries.data,
    server: server.data,
    mails: mails.data,
    alerts: alerts.data,
  };
  const isSettled = sources.every(({ data, error }) => data !== undefined || error !== null);
  const isKnown = isSettled && sources.some(({ data }) => data !== undefined);
  return loadable(
    isKnown ? problemsOf(findings, Date.now()) : undefined,
    isSettled ? denials.error : null,
    () => {
      for (const { refetch } of sources) void refetch();
    },
  );
}
