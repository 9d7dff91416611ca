import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { readFields } from '../rules-request.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `PUT …/rules/recording` with some of `{"isOn", "share"}`; answers both. */
export async function changeRecording(request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  const fields = await readFields(request, ['isOn', 'share']);
  return jsonAnswer(await request.backend.recorder.changeSettings(database, Object.fromEntries(fields)));
}
