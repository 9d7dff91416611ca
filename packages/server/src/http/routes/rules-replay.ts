import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { parseSource, readFields } from '../rules-request.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `POST …/rules/replay` with `{"source"}`: which recent operations these rules would decide otherwise. */
export async function replayRules(request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  const fields = await readFields(request, ['source']);
  request.keepOpen();
  return jsonAnswer(await request.backend.replay.run(database, parseSource(fields)));
}
