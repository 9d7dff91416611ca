import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { tellAdminAct } from '../tell-admin-act.ts';

/** `DELETE /api/projects/<project>/keys/<key>`: requests that show the key are refused from now on. */
export async function removeProjectKey(request: ApiRequest): Promise<Answer> {
  const { project = '', key = '' } = request.segments;
  await request.backend.projects.removeKey(project, key);
  tellAdminAct(request, project, 'api_key_removed');
  return jsonAnswer({});
}
