import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { listDatabases } from '../server/databases.ts';
import { useApi, useProjectId } from './session.ts';

/** Names of all databases of the project in view, asked for again every so many milliseconds if at all. */
export function useDatabases(refetchInterval: number | false = false): UseQueryResult<readonly string[]> {
  const api = useApi();
  const project = useProjectId();
  return useQuery({
    queryKey: ['databases', project],
    queryFn: () => listDatabases(api, project),
    refetchInterval,
  });
}
