import { isIP } from 'node:net';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { DatabaseOwners } from '../auth/projects/database-owners.ts';
import { parseHostName } from '../http/guards.ts';
import { type Answer, jsonAnswer } from '../http/response.ts';
import type { DatabaseAdmin } from '../realtime/database/administration.ts';
import { parseNamespace } from '../realtime/rest/namespace.ts';
import { createDatabase, listNames, requireAvailable } from './databases.ts';
import { parsePageSize, segmentNamespace } from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface ManagementServices {
  readonly administration: DatabaseAdmin;
  readonly audit: AuditTrail;
  /** `null` in development mode, where no project owns a database. */
  readonly databaseOwners: DatabaseOwners | null;
}

const INSTANCES = '/v1beta/projects/{project}/locations/{location}/instances';

/**
 * Returns the routes of the management services that the official tools use. Every project and every location
 * means this server, and each of its databases is an instance.
 */
export function managementRoutes(services: ManagementServices): readonly ApiRoute[] {
  return [
    { method: 'GET', path: INSTANCES, run: (request) => listInstances(services, request), right: 'read' },
    { method: 'POST', path: INSTANCES, run: (request) => createInstance(services, request), right: 'write' },
    { method: 'GET', path: `${INSTANCES}/{instance}`, run: readInstance, right: 'read' },
    { method: 'GET', path: '/v1beta1/projects/{project}', run: readProject, right: 'read' },
    {
      method: 'GET',
      path: '/namespaces/{database}/rulesets',
      run: (request) => listRulesets(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: '/namespaces/{database}/rulesets/{id}',
      run: (request) => readRuleset(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: '/namespaces/{database}/ruleset_labels',
      run: (request) => readRulesetLabels(services, request),
      right: 'read',
    },
  ];
}

/**
 * `GET …/instances`: lists the databases in order of name, in pages. The token for the next page is the last
 * name on this page.
 */
async function listInstances(services: ManagementServices, request: ApiRequest): Promise<Answer> {
  const { identity, query, segments } = request;
  const limit = parsePageSize(query.get('pageSize'));
  const after = query.get('pageToken') ?? '';
  const names = await listNames(services, identity, segments['project'] ?? '', after, limit);
  const instances = names.map((name) => instanceJson(request, name));
  return jsonAnswer(names.length < limit ? { instances } : { instances, nextPageToken: names.at(-1) });
}

/**
 * `GET …/instances/<name>`: describes any database with a valid name, even one that does not exist, because
 * the first write creates a database.
 */
async function readInstance(request: ApiRequest): Promise<Answer> {
  return jsonAnswer(instanceJson(request, segmentNamespace(request, 'instance')));
}

/**
 * `POST …/instances?databaseId=<name>`: creates a database. With `validateOnly=true`, only checks whether it
 * could be created.
 */
async function createInstance(services: ManagementServices, request: ApiRequest): Promise<Answer> {
  const { admin, query } = request;
  // Service accounts with the role for databases may create databases through the official tools. Of the
  // members, only owners may, as in the other routes.
  if (admin.grant?.kind === 'member' && !admin.roles.includes('project.owner'))
    throw new RequestError('auth/role');
  const name = parseNamespace(query.get('databaseId') ?? '');
  if (query.get('validateOnly') === 'true') await requireAvailable(services, request, name);
  else await createDatabase(services, request, name);
  return jsonAnswer(instanceJson(request, name));
}

/**
 * `GET /v1beta1/projects/<id>`: returns the fields with which the official tools find the default database of a
 * project.
 */
async function readProject({ segments }: ApiRequest): Promise<Answer> {
  const { project = '' } = segments;
  return jsonAnswer({
    projectId: project,
    state: 'ACTIVE',
    resources: { realtimeDatabaseInstance: defaultInstance(project) },
  });
}

/**
 * `GET /namespaces/<database>/rulesets`: lists rulesets as `{"rulesets":[{"id","createdAt","source"},…]}`,
 * oldest first.
 */
async function listRulesets(services: ManagementServices, request: ApiRequest): Promise<Answer> {
  const { identity } = request;
  return jsonAnswer({
    rulesets: await services.administration.rulesets(identity, segmentNamespace(request, 'database')),
  });
}

/** `GET /namespaces/<database>/rulesets/<id>`: returns one ruleset. */
async function readRuleset(services: ManagementServices, request: ApiRequest): Promise<Answer> {
  const { identity, segments } = request;
  const database = segmentNamespace(request, 'database');
  const ruleset = await services.administration.findRuleset(identity, database, segments['id'] ?? '');
  if (ruleset === undefined) throw new RequestError('http/not-found');
  return jsonAnswer(ruleset);
}

/**
 * `GET /namespaces/<database>/ruleset_labels`: returns the ids of the stable ruleset and of the canary, or
 * `{}` if there are none.
 */
async function readRulesetLabels(services: ManagementServices, request: ApiRequest): Promise<Answer> {
  const { identity } = request;
  const labels = await services.administration.rulesetLabels(identity, segmentNamespace(request, 'database'));
  return jsonAnswer(labels ?? {});
}

/**
 * The location in requests for all locations. Their responses report `LOCATION` as the location of each
 * database.
 */
const ANY_LOCATION = '-';
const LOCATION = 'us-central1';

/** Returns a database as an instance resource of the management service. */
function instanceJson({ segments, origin }: Pick<ApiRequest, 'segments' | 'origin'>, database: string) {
  const { project = '', location = ANY_LOCATION } = segments;
  const target = location === ANY_LOCATION ? LOCATION : location;
  return {
    name: `projects/${project}/locations/${target}/instances/${database}`,
    project: `projects/${project}`,
    databaseUrl: databaseUrl(origin, database),
    type: database === defaultInstance(project) ? 'DEFAULT_DATABASE' : 'USER_DATABASE',
    state: 'ACTIVE',
  };
}

/** Returns the name of a project's default database, which clients use if they name none. */
function defaultInstance(project: string): string {
  return `${project}-default-rtdb`;
}

/**
 * Returns the URL of a database. If clients reach this server over plain HTTP at a localhost name or an IP
 * address, the host names the database. The official command line drops query parameters: with only `?ns=`,
 * it would read and delete data in another database.
 */
function databaseUrl(origin: string, database: string): string {
  const host = /^http:\/\/(.+)$/.exec(origin)?.[1] ?? '';
  const name = parseHostName(host) ?? '';
  const port = /:([0-9]+)$/.exec(host)?.[0] ?? '';
  const isLocalHost =
    name === 'localhost' || name.endsWith('.localhost') || name.startsWith('[') || isIP(name) !== 0;
  return isLocalHost ? `http://${database}.db.localhost${port}` : `${origin}/?ns=${database}`;
}
