import { RequestError } from '@hearth/core/error/request-error.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { Members } from '../auth/roles/members.ts';
import { type Answer, jsonAnswer } from '../http/response.ts';
import { recordAdminAction } from './audit.ts';
import { parseMemberRole, readFields, requireKnownParameters } from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface MemberServices {
  readonly audit: AuditTrail;
  readonly members: Members;
}

const MEMBERS = '/api/projects/{project}/members';

/** Returns the routes of the members of a project. */
export function memberRoutes(services: MemberServices): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path: MEMBERS,
      run: (request) => listMembers(services, request),
      right: 'read',
      isFor: 'accounts',
    },
    {
      method: 'POST',
      path: MEMBERS,
      run: (request) => addMember(services, request),
      right: 'admin',
      isFor: 'accounts',
    },
    {
      method: 'PATCH',
      path: `${MEMBERS}/{uid}`,
      run: (request) => changeMember(services, request),
      right: 'admin',
      isFor: 'accounts',
    },
    {
      method: 'DELETE',
      path: `${MEMBERS}/{uid}`,
      run: (request) => removeMember(services, request),
      right: 'admin',
      isFor: 'accounts',
    },
  ];
}

/**
 * `GET /api/projects/<project>/members`: lists the members as
 * `{"members":[{"uid","email","name","role","addedAtMs","hasSecondFactor"},…]}`.
 */
async function listMembers(services: MemberServices, { query, segments }: ApiRequest): Promise<Answer> {
  requireKnownParameters(query, []);
  return jsonAnswer({ members: services.members.list(segments['project'] ?? '') });
}

/**
 * `POST /api/projects/<project>/members` with `{"email","role"}`: makes an existing account a member and
 * returns the member.
 */
async function addMember(services: MemberServices, request: ApiRequest): Promise<Answer> {
  const fields = await readFields(request, ['email', 'role']);
  const email = fields.get('email');
  if (typeof email !== 'string')
    throw new RequestError('request/malformed', '"email" must be an email address.');
  const project = request.segments['project'] ?? '';
  const member = await services.members.add(project, email, parseMemberRole(fields));
  recordAdminAction(services.audit, request, project, 'member_changed', member.role, member.uid);
  return jsonAnswer(member);
}

/**
 * `PATCH /api/projects/<project>/members/<uid>` with `{"role"}`: changes the role of a member and returns the
 * member.
 */
async function changeMember(services: MemberServices, request: ApiRequest): Promise<Answer> {
  const role = parseMemberRole(await readFields(request, ['role']));
  const { project = '', uid = '' } = request.segments;
  const member = await services.members.changeRole(project, uid, role);
  recordAdminAction(services.audit, request, project, 'member_changed', role, uid);
  return jsonAnswer(member);
}

/** `DELETE /api/projects/<project>/members/<uid>`: removes a member. The account remains. */
async function removeMember(services: MemberServices, request: ApiRequest): Promise<Answer> {
  const { project = '', uid = '' } = request.segments;
  await services.members.remove(project, uid);
  recordAdminAction(services.audit, request, project, 'member_changed', 'removed', uid);
  return jsonAnswer({});
}
