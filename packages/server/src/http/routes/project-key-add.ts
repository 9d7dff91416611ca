import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { tellAdminAct } from '../tell-admin-act.ts';

/** `POST /api/projects/<project>/keys`: a further API key, as `{"apiKey"}`. */
export async function addProjectKey(request: ApiRequest): Promise<Answer> {
  const project = request.segments['project'] ?? '';
  const apiKey = await request.backend.projects.addKey(project);
  tellAdminAct(request, project, 'api_key_created');
  return jsonAnswer({ apiKey });
}
