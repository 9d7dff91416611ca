import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Principal } from '../access/principal.ts';
import type { AuditTrail } from '../audit/trail.ts';
import { type DatabaseOwners, isNameOfProject } from '../auth/projects/database-owners.ts';
import { type Answer, jsonAnswer } from '../http/response.ts';
import type { DatabaseAdmin } from '../realtime/database/administration.ts';
import { parseNamespace } from '../realtime/rest/namespace.ts';
import { recordAdminAction } from './audit.ts';
import { parseLimitParameter, readFields, requireKnownParameters } from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface DatabaseServices {
  readonly administration: DatabaseAdmin;
  readonly audit: AuditTrail;
  /** `null` in development mode, where no project owns a database. */
  readonly databaseOwners: DatabaseOwners | null;
}

const PROJECT_DATABASES = '/api/projects/{project}/databases';

/** Returns the routes that list and create databases. */
export function databaseRoutes(services: DatabaseServices): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/databases',
      run: (request) => listDatabases(services, request),
      right: 'read',
      isFor: 'any-project',
    },
    {
      method: 'GET',
      path: PROJECT_DATABASES,
      run: (request) => listProjectDatabases(services, request),
      right: 'read',
    },
    {
      method: 'POST',
      path: PROJECT_DATABASES,
      run: (request) => createProjectDatabase(services, request),
      right: 'admin',
    },
  ];
}

/**
 * `GET /api/databases`: lists the databases of the caller's project, in order of name. If the caller is not
 * limited to one project, lists all databases that exist.
 */
async function listDatabases(services: DatabaseServices, request: ApiRequest): Promise<Answer> {
  return jsonAnswer(await listDatabasesOf(services, request, request.admin.projectId));
}

/**
 * `GET /api/projects/<project>/databases`: lists databases as `{"databases":[{"name"},…],"next"}`, in order
 * of name. In development mode, lists all databases.
 */
async function listProjectDatabases(services: DatabaseServices, request: ApiRequest): Promise<Answer> {
  return jsonAnswer(await listDatabasesOf(services, request, request.segments['project'] ?? null));
}

/**
 * `POST /api/projects/<project>/databases` with `{"name"}`: creates an empty database and returns `{"name"}`.
 */
async function createProjectDatabase(services: DatabaseServices, request: ApiRequest): Promise<Answer> {
  const fields = await readFields(request, ['name']);
  const name = fields.get('name');
  if (typeof name !== 'string')
    throw new RequestError('request/malformed', '"name" must be the name of a database.');
  const namespace = parseNamespace(name);
  await createDatabase(services, request, namespace);
  return jsonAnswer({ name: namespace });
}

/**
 * Creates an empty database in the project that the URL names. Rejects like `requireAvailable`, and with
 * `namespace/too-many` when the project already has the maximum number of databases.
 */
export async function createDatabase(
  services: DatabaseServices,
  request: ApiRequest,
  name: string,
): Promise<void> {
  const { identity, segments } = request;
  const { project = '' } = segments;
  await requireAvailable(services, request, name);
  const isOwned = await services.databaseOwners?.claim(project, name);
  if (isOwned === false || !(await services.administration.create(identity, name)))
    throw new RequestError('namespace/taken');
  recordAdminAction(services.audit, request, project, 'database_created', name);
}

/**
 * Rejects with `namespace/taken` when the name is taken. A database that exists but belongs to no project
 * also counts as taken, so that its data does not go to the first project that requests the name. Rejects
 * with `namespace/foreign` when the caller is limited to one project and another project might need the name.
 */
export async function requireAvailable(
  services: DatabaseServices,
  request: ApiRequest,
  name: string,
): Promise<void> {
  const { admin, identity, segments } = request;
  const { project = '' } = segments;
  if (admin.projectId !== null && !isNameOfProject(name, project))
    throw new RequestError(
      'namespace/foreign',
      `The name of a database of this project must begin with ${project}- and must not end in -default-rtdb.`,
    );
  const isFree = services.databaseOwners?.find(name) === undefined;
  if (!isFree || (await services.administration.exists(identity, name)))
    throw new RequestError('namespace/taken');
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** A page of names. `next` is the name with which to request the next page, or `null` on the last page. */
export interface DatabasePage {
  readonly databases: readonly { readonly name: string }[];
  readonly next: string | null;
}

/**
 * Returns a page of the databases of a project. If `project` is `null`, and always in development mode,
 * returns a page of all databases that exist.
 */
async function listDatabasesOf(
  services: DatabaseServices,
  { identity, query }: ApiRequest,
  project: string | null,
): Promise<DatabasePage> {
  requireKnownParameters(query, ['after', 'limit']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const text = query.get('after');
  const after = text === null ? '' : parseNamespace(text);
  // Requests one more than the limit, to detect whether there are more.
  const names = await listNames(services, identity, project, after, limit + 1);
  const databases = names.slice(0, limit).map((name) => ({ name }));
  const next = names.length > limit ? databases.at(-1)?.name : undefined;
  return { databases, next: next ?? null };
}

/**
 * Returns the names of a project's databases in order: those after `after`, at most `limit`. If `project` is `null`, and
 * always in development mode, returns those of all databases that exist. A new project owns two names; the one without
 * a suffix is only listed if it is in use, so that a project begins with one database.
 */
export async function listNames(
  { administration, databaseOwners }: Pick<DatabaseServices, 'administration' | 'databaseOwners'>,
  identity: Principal,
  project: string | null,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  if (project === null || databaseOwners === null) return administration.names(identity, after, limit);
  const names = databaseOwners.list(project, after, limit + 1);
  const isUsed = !names.includes(project) || (await administration.exists(identity, project));
  return names.filter((name) => isUsed || name !== project).slice(0, limit);
}
