import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { readFields } from '../rules-request.ts';
import { tellAdminAct } from '../tell-admin-act.ts';

/** `POST /api/projects` with `{"id"}`: makes a project; answers its first API key. */
export async function createProject(request: ApiRequest): Promise<Answer> {
  const fields = await readFields(request, ['id']);
  const { project, apiKey } = await request.backend.projects.create(String(fields.get('id') ?? ''));
  tellAdminAct(request, project.id, 'project_created');
  return jsonAnswer({ id: project.id, number: project.number, apiKey });
}
