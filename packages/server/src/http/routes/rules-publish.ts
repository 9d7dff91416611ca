import type { Answer } from '../answer.ts';
import type { ApiRequest } from '../api-request.ts';
import { answerPublication } from '../rules-problems.ts';
import { parsePublication, parseSource, readFields } from '../rules-request.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `POST …/rules/publish` with `{"source", "message"?, "expected"?}`: puts rules in force. */
export async function publishRules(request: ApiRequest): Promise<Answer> {
  const { backend, identity } = request;
  const database = segmentNamespace(request, 'database');
  const fields = await readFields(request, ['source', 'message', 'expected']);
  const publication = parsePublication(fields);
  return answerPublication(
    backend.rulesHistory.publish(identity, database, parseSource(fields), publication),
  );
}
