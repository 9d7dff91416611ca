import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { instanceJson } from '../instance-json.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `GET …/instances/<name>`: any database that could be, because it comes to be when something is written to it. */
export async function readInstance(request: ApiRequest): Promise<Answer> {
  return jsonAnswer(instanceJson(request, segmentNamespace(request, 'instance')));
}
