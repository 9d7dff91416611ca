import type { ProjectAdministration } from '../auth/projects/administration.ts';
import { findMemberRole } from '../auth/roles/member-verifier.ts';
import type { Members } from '../auth/roles/members.ts';
import type { Administrator } from '../auth/roles/rights.ts';
import type { SignInStart } from '../auth/sign-in/providers.ts';
import { type Answer, jsonAnswer } from '../http/response.ts';
import { requireKnownParameters } from './parameters.ts';
import type { About, ApiRequest, ApiRoute, PublicApiRoute } from './request.ts';

export interface SessionServices {
  readonly about: About;
  readonly members: Members;
  readonly projects: ProjectAdministration;
}

/** Returns the route that describes the server and the caller for a console. */
export function sessionRoutes(services: SessionServices): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/session',
      run: (request) => readSession(services, request),
      right: 'read',
      isFor: 'any-project',
    },
  ];
}

const MAX_PROJECTS = 1_000;

/**
 * `GET /api/session`: describes the server and the caller,
 * `{"mode","version","user":{"uid","email","name"}|null,"projects":[{"id","role"}],"next"}`. `user` is `null`
 * unless the caller is a member.
 */
async function readSession(services: SessionServices, { admin, query }: ApiRequest): Promise<Answer> {
  requireKnownParameters(query, []);
  const { mode, version } = services.about;
  const user = findUser(admin, services.members);
  return jsonAnswer({ mode, version, user, ...projectsOf(admin, services) });
}

function findUser({ grant }: Administrator, members: SessionServices['members']) {
  const member = grant?.kind === 'member' ? members.find(grant.projectId, grant.uid) : undefined;
  return member === undefined ? null : { uid: member.uid, email: member.email, name: member.name };
}

/**
 * Returns the caller's projects. `next` is the id with which to request more. Only a caller that has all
 * projects may request more.
 */
function projectsOf({ projectId, roles }: Administrator, { about, projects }: SessionServices) {
  const role = findMemberRole(roles);
  if (projectId !== null) return { projects: [{ id: projectId, role }], next: null };
  const ids = projects.list(undefined, MAX_PROJECTS);
  const next = ids.length < MAX_PROJECTS ? null : (ids.at(-1) ?? null);
  // The default project exists even if no administrator has created it.
  const all = new Set(about.defaultProject === null ? ids : [about.defaultProject, ...ids]);
  return { projects: [...all].map((id) => ({ id, role })), next };
}

/** Returns the public route from which a console learns how to sign in to a project. */
export function signInRoutes(startSignIn: SignInStart): readonly PublicApiRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/projects/{project}/sign-in',
      run: async ({ client, query, segments }) => {
        requireKnownParameters(query, []);
        return jsonAnswer(startSignIn(segments['project'] ?? '', client.address));
      },
    },
  ];
}
