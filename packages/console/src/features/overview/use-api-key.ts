import { useQuery } from '@tanstack/react-query';
import { listKeys } from '../../api/project.ts';
import { useApi, useProjectId, useRights, useSession } from '../../session/session.ts';

/**
 * Returns the first API key of the project, for code that owners copy. Returns `null` for other members, and in
 * development mode, where apps need no key.
 */
export function useApiKey(): string | null {
  const api = useApi();
  const project = useProjectId();
  const { mode } = useSession().parameters;
  const { mayOwn } = useRights();
  const { data } = useQuery({
    queryKey: ['keys', project],
    queryFn: () => listKeys(api, project),
    enabled: mode === 'serve' && mayOwn,
  });
  return data?.[0]?.apiKey ?? null;
}
