import { useQuery } from '@tanstack/react-query';
import { sendLink } from '../../server/accounts-links.ts';
import { type Loadable, loadableOf } from '../../server/loadable.ts';
import {
  type AddedMember,
  addMember,
  changeMember,
  listMembers,
  type Member,
  removeMember,
} from '../../server/project.ts';
import type { Role } from '../../server/role.ts';
import { useChanges } from '../../server/use-changes.ts';
import { useApi, useProjectId } from '../../session/session.ts';

interface Members {
  readonly members: Loadable<readonly Member[]>;
  add(email: string, role: Role): Promise<AddedMember>;
  changeRole(uid: string, role: Role): Promise<Member>;
  remove(uid: string): Promise<void>;
  /** Sends a mail with a link to choose a password. */
  sendPasswordMail(email: string): Promise<void>;
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
    sendPasswordMail: (email) => sendLink(api, project, 'PASSWORD_RESET', email),
    remove: (uid) => change(() => removeMember(api, project, uid)),
  };
}
