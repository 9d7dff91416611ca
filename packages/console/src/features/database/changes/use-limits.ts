import { useQuery } from '@tanstack/react-query';
import { readChanges, type UndoLimits } from '../../../api/changes.ts';
import { useApi } from '../../../session/session.ts';
import { useImpersonation } from '../impersonation/model.ts';

export const DAY_MS = 86_400_000;

/** Returns what the server keeps at most, so that a change can be undone. `undefined` until it is known. */
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
