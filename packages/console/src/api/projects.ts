import type { Api } from './client.ts';
import { type Role, SESSION_ADDRESS } from './session.ts';

/** The size of a database, as far as the server has measured it. */
export interface Measure {
  /** Length of the JSON text in UTF-8. */
  readonly bytes: number;
  readonly isComplete: boolean;
}

/** Number of databases per request. */
const PAGE_SIZE = 1_000;

/** Lists the names of all databases of a project, in alphabetical order. */
export async function listDatabases(api: Api, project: string): Promise<readonly string[]> {
  const names: string[] = [];
  let after: string | undefined;
  do {
    const page: { readonly databases: readonly { readonly name: string }[]; readonly next: string | null } =
      await api.json(`/api/projects/${encodeURIComponent(project)}/databases`, {
        query: { after, limit: PAGE_SIZE },
      });
    names.push(...page.databases.map(({ name }) => name));
    after = page.next ?? undefined;
  } while (after !== undefined);
  return names;
}

/** Creates an empty database. Rejects with an `ApiError`. */
export async function createDatabase(api: Api, project: string, name: string): Promise<void> {
  const path = `/api/projects/${encodeURIComponent(project)}/databases`;
  await api.send(path, { method: 'POST', body: { name } });
}

/** Measures a database and yields the progress; `isComplete` is true in the last item. */
export async function* measureDatabase(
  api: Api,
  database: string,
  signal: AbortSignal,
): AsyncGenerator<Measure, void, undefined> {
  const path = `/api/databases/${encodeURIComponent(database)}/size`;
  type Line = { readonly kind: string; readonly bytes: number };
  for await (const { kind, bytes } of api.lines<Line>(path, { signal }))
    yield { bytes, isComplete: kind === 'done' };
}

/** Deletes all data of a database; its rules stay. */
export async function eraseDatabase(api: Api, database: string): Promise<void> {
  await api.send('/.json', { method: 'DELETE', query: { ns: database } });
}

/** Creates a project. Rejects with an `ApiError`. */
export async function createProject(api: Api, id: string): Promise<void> {
  await api.send('/api/projects', { method: 'POST', body: { id } });
}

/** The current member, and the projects to which the member has access. */
export interface ServerSession {
  readonly mode: 'development' | 'serve';
  readonly version: string;
  readonly user: { readonly uid: string; readonly email: string | null; readonly name: string | null } | null;
  readonly projects: readonly { readonly id: string; readonly role: Role }[];
}

/** Reads the session of the credential of `api`. Rejects with an `ApiError`. */
export function readSession(api: Api): Promise<ServerSession> {
  return api.json(SESSION_ADDRESS);
}

/** Returns whether a text is a valid project ID: 1 to 50 lowercase letters, digits and inner hyphens. */
export function isProjectId(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/.test(text);
}
