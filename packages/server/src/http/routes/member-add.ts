import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { parseMemberRole } from '../parse-member-role.ts';
import { readFields } from '../rules-request.ts';
import { tellAdminAct } from '../tell-admin-act.ts';

/** `POST /api/projects/<project>/members` with `{"email","role"}`: makes an account that there is a member; answers it. */
export async function addMember(request: ApiRequest): Promise<Answer> {
  const fields = await readFields(request, ['email', 'role']);
  const email = fields.get('email');
  if (typeof email !== 'string') throw new Refusal('request/malformed', '"email" must be an e-mail address.');
  const project = request.segments['project'] ?? '';
  const member = await request.backend.members.add(project, email, parseMemberRole(fields));
  tellAdminAct(request, project, 'member_changed', member.role, member.uid);
  return jsonAnswer(member);
}
