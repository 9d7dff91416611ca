import type { Administrator } from '../../accounts/administrator.ts';
import { findMemberRole } from '../../accounts/members/find-member-role.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters } from '../explorer-parameters.ts';

const MAX_PROJECTS = 1_000;

/**
 * `GET /api/session`: `{"mode","version","user":{"uid","email","name"}|null,"projects":[{"id","role"}],"next"}`. Only members
 * are users.
 */
export async function readSession({ admin, backend, query }: ApiRequest): Promise<Answer> {
  mustKnowParameters(query, []);
  const { mode, version } = backend.about;
  const user = findUser(admin, backend.members);
  return jsonAnswer({ mode, version, user, ...projectsOf(admin, backend) });
}

function findUser({ grant }: Administrator, members: ApiRequest['backend']['members']) {
  const member = grant?.kind === 'member' ? members.find(grant.projectId, grant.uid) : undefined;
  return member === undefined ? null : { uid: member.uid, email: member.email, name: member.name };
}

/** `next` is the id to ask for more with, which only somebody may who has all projects. */
function projectsOf({ projectId, roles }: Administrator, { about, projects }: ApiRequest['backend']) {
  const role = findMemberRole(roles);
  if (projectId !== null) return { projects: [{ id: projectId, role }], next: null };
  const ids = projects.list(undefined, MAX_PROJECTS);
  const next = ids.length < MAX_PROJECTS ? null : (ids.at(-1) ?? null);
  // It is there without having been made.
  const all = new Set(about.defaultProject === null ? ids : [about.defaultProject, ...ids]);
  return { projects: [...all].map((id) => ({ id, role })), next };
}
