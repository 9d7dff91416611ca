import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { tellAdminAct } from '../tell-admin-act.ts';

/** `DELETE /api/projects/<project>/service-accounts/<name>/keys/<key>`: everything got by the key ends at once. */
export async function removeServiceAccountKey(request: ApiRequest): Promise<Answer> {
  const { project = '', name = '', key = '' } = request.segments;
  await request.backend.projects.removeServiceAccountKey(project, name, key);
  tellAdminAct(request, project, 'service_account_changed', `${name} lost a key`);
  return jsonAnswer({});
}
