import type { Answer } from '../answer.ts';
import type { ApiRequest } from '../api-request.ts';
import { answerPublication } from '../rules-problems.ts';
import { parsePublication, parseVersionId, readFields } from '../rules-request.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `POST …/rules/rollback` with `{"to", "message"?, "expected"?}`: publishes an earlier version once more. */
export async function rollBackRules(request: ApiRequest): Promise<Answer> {
  const { backend, identity } = request;
  const database = segmentNamespace(request, 'database');
  const fields = await readFields(request, ['to', 'message', 'expected']);
  const to = parseVersionId(fields.get('to'), 'to', 1);
  const publication = parsePublication(fields);
  return answerPublication(backend.rulesHistory.rollBack(identity, database, to, publication));
}
