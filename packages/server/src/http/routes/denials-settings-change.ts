import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { readFields } from '../rules-request.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `PUT …/denials/settings` with some of `{"isOn", "keep", "days", "keepValues"}`; answers all of them. */
export async function changeDenialSettings(request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  const fields = await readFields(request, ['isOn', 'keep', 'days', 'keepValues']);
  return jsonAnswer(await request.backend.denials.changeSettings(database, Object.fromEntries(fields)));
}
