import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { instanceJson } from '../instance-json.ts';
import { parsePageSize } from '../page-size.ts';

/** `GET …/instances`: the databases in order, by pages; a token to ask for the next page is the last name on this one. */
export async function listInstances(request: ApiRequest): Promise<Answer> {
  const { backend, identity, query, segments } = request;
  const limit = parsePageSize(query.get('pageSize'));
  const after = query.get('pageToken') ?? '';
  const names =
    backend.databaseOwners?.list(segments['project'] ?? '', after, limit) ??
    (await backend.administration.names(identity, after, limit));
  const instances = names.map((name) => instanceJson(request, name));
  return jsonAnswer(names.length < limit ? { instances } : { instances, nextPageToken: names.at(-1) });
}
