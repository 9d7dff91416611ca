import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { parseDenialId } from '../denial-request.ts';
import { parseSource, readFields } from '../rules-request.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `POST …/denials/<id>/evaluate` with `{"source"?}`: the verdict once more, by the rules of then or by those of `source`. */
export async function evaluateDenial(request: ApiRequest): Promise<Answer> {
  const { backend, segments } = request;
  const database = segmentNamespace(request, 'database');
  const id = parseDenialId(segments['id'] ?? '', 'id');
  const fields = await readFields(request, ['source']);
  const source = fields.has('source') ? parseSource(fields) : undefined;
  return jsonAnswer(await backend.denials.evaluate(database, id, source));
}
