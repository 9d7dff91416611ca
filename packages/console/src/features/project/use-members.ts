import { useQuery } from '@tanstack/react-query';
import { type Loadable, loadableOf } from '../../server/loadable.ts';
import { addMember, changeMember, listMembers, type Member, removeMember } from '../../server/project.ts';
import type { Role } from '../../server/role.ts';
import { useChanges } from '../../server/use-changes.ts';
import { useApi, useProjectId } from '../../session/session.ts';

interface Members {
  readonly members: Loadable<readonly Member[]>;
  add(email: string, role: Role): Promise<Member>;
  changeRole(uid: string, role: Role): Promise<Member>;
  remove(uid: string): Promise<void>;
}

/** The members of the project. Changes reject with an `ApiError`, and are seen in the list when they resolve. */
export function useMembers(): Members {
  const api = useApi();
  const project = useProjectId();
  const queryKey = ['members', project];
  const change = useChanges(queryKey);
  return {
    members: loadableOf(useQuery({ queryKey, queryFn: () => listMembers(api, project) })),
    add: (email, role) => change(() => addMember(api, project, email, role)),
    changeRole: (uid, role) => change(() => changeMember(api, project, uid, role)),
    remove: (uid) => change(() => removeMember(api, project, uid)),
  };
}
