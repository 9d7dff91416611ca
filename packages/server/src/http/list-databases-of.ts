import type { ApiRequest } from './api-request.ts';
import { mustKnowParameters, parseLimitParameter } from './explorer-parameters.ts';
import { parseNamespace } from './namespace.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** A page of names, and the name to ask with for the next; `null` when there are no more. */
export interface DatabasePage {
  readonly databases: readonly { readonly name: string }[];
  readonly next: string | null;
}

/** The databases of a project, or those that exist: of all projects with `null`, and in development mode always. */
export async function listDatabasesOf(
  { backend, identity, query }: ApiRequest,
  project: string | null,
): Promise<DatabasePage> {
  mustKnowParameters(query, ['after', 'limit']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const text = query.get('after');
  const after = text === null ? '' : parseNamespace(text);
  const { administration, databaseOwners } = backend;
  // One more than asked for tells whether there are more.
  const names =
    project === null || databaseOwners === null
      ? await administration.names(identity, after, limit + 1)
      : databaseOwners.list(project, after, limit + 1);
  const databases = names.slice(0, limit).map((name) => ({ name }));
  const next = names.length > limit ? databases.at(-1)?.name : undefined;
  return { databases, next: next ?? null };
}
