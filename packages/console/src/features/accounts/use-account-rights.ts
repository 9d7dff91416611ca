import { useQuery } from '@tanstack/react-query';
import { listMembers } from '../../server/project.ts';
import { useApi, useProjectId, useRights } from '../../session/session.ts';

interface AccountRights {
  readonly mayChange: boolean;
  /** Is it a member's account, and whoever is at the console no owner? */
  readonly isForOwners: boolean;
}

/** What may be done with an account: those of members are the owners' to change. An editor waits until it is known for one. */
export function useAccountRights(uid: string): AccountRights {
  const { mayChange, mayOwn } = useRights();
  const api = useApi();
  const project = useProjectId();
  const { data: members } = useQuery({
    queryKey: ['members', project],
    queryFn: () => listMembers(api, project),
    enabled: mayChange && !mayOwn,
  });
  if (!mayChange || mayOwn) return { mayChange, isForOwners: false };
  const isForOwners = members?.some((member) => member.uid === uid);
  return { mayChange: isForOwners === false, isForOwners: isForOwners === true };
}
