import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { tellAdminAct } from '../tell-admin-act.ts';

/** `DELETE /api/projects/<project>/members/<uid>`: the account remains, and is no member any more. */
export async function removeMember(request: ApiRequest): Promise<Answer> {
  const { project = '', uid = '' } = request.segments;
  await request.backend.members.remove(project, uid);
  tellAdminAct(request, project, 'member_changed', 'removed', uid);
  return jsonAnswer({});
}
