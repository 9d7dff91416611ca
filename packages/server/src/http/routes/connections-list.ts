import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { parseConnectionId } from '../connection-id.ts';
import { mustKnowParameters, parseLimitParameter } from '../explorer-parameters.ts';
import { segmentNamespace } from '../segment-namespace.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

/** `GET …/connections`: who is connected, in the order in which they came. */
export async function listConnections(request: ApiRequest): Promise<Answer> {
  const { backend, query } = request;
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(query, ['after', 'limit']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const after = query.get('after');
  return jsonAnswer(
    backend.connections.list(database, after === null ? 0 : parseConnectionId(after, 'after'), limit),
  );
}
