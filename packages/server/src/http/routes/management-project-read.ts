import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { defaultInstance } from '../instance-json.ts';

/** `GET /v1beta1/projects/<id>`: what the official tools need to know to find the default database of a project. */
export async function readProject({ segments }: ApiRequest): Promise<Answer> {
  const { project = '' } = segments;
  return jsonAnswer({
    projectId: project,
    state: 'ACTIVE',
    resources: { realtimeDatabaseInstance: defaultInstance(project) },
  });
}
