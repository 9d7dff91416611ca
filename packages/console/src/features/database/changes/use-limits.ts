import { useQuery } from '@tanstack/react-query';
import { readChanges, type UndoLimits } from '../../../api/changes.ts';
import { useApi } from '../../../session/session.ts';
import { useImpersonation } from '../impersonation/model.ts';

export const DAY_MS = 86_400_000;

/** Returns the limits of the data that the server keeps to undo changes; `undefined` until they are loaded. */
export function useUndoLimits(database: string): UndoLimits | undefined {
  const api = useApi();
  const isSelf = useImpersonation().who.kind === 'self';
  const { data } = useQuery({
    queryKey: ['undo-limits', database],
    queryFn: ({ signal }) => readChanges(api, database, undefined, 1, signal),
    staleTime: Number.POSITIVE_INFINITY,
    // An impersonated user has no access to changes.
    enabled: isSelf,
  });
  return data?.limits;
}
