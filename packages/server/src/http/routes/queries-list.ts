import type { NotedQuery } from '../../activity/query-log.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters } from '../explorer-parameters.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `GET …/queries`: queries lately that were slow or had no index, latest first. */
export async function listQueries(request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(request.query, []);
  const noted = request.backend.activity.find(database).queries.all();
  return jsonAnswer({ queries: noted.map((query) => ({ ...query, fix: fixOf(query) })) });
}

/** What to add to the rules at the location of a query. */
function fixOf({ isIndexed, orderBy }: NotedQuery): string | null {
  return isIndexed ? null : `".indexOn": ${JSON.stringify(orderBy)}`;
}
