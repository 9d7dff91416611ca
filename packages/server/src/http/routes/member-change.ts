import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { parseMemberRole } from '../parse-member-role.ts';
import { readFields } from '../rules-request.ts';
import { tellAdminAct } from '../tell-admin-act.ts';

/** `PATCH /api/projects/<project>/members/<uid>` with `{"role"}`: gives a member another role; answers the member. */
export async function changeMember(request: ApiRequest): Promise<Answer> {
  const role = parseMemberRole(await readFields(request, ['role']));
  const { project = '', uid = '' } = request.segments;
  const member = await request.backend.members.changeRole(project, uid, role);
  tellAdminAct(request, project, 'member_changed', role, uid);
  return jsonAnswer(member);
}
