import { isIP } from 'node:net';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { DatabaseOwners } from '../auth/projects/database-owners.ts';
import { parseHostName } from '../http/guards.ts';
import { type Answer, jsonAnswer } from '../http/response.ts';
import type { DatabaseAdmin } from '../realtime/database/administration.ts';
import { parseNamespace } from '../realtime/rest/namespace.ts';
import { createDatabase, requireAvailable } from './databases.ts';
import { parsePageSize, segmentNamespace } from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface ManagementServices {
  readonly administration: DatabaseAdmin;
  readonly audit: AuditTrail;
  /** `null` in development mode, where no project owns a database. */
  readonly databaseOwners: DatabaseOwners | null;
}

const INSTANCES = '/v1beta/projects/{project}/locations/{location}/instances';

/** Returns the routes of the services by which the official tools manage databases. Every project and every
 * location stands for this server, and each of its databases is an instance of it. */
export function managementRoutes(services: ManagementServices): readonly ApiRoute[] {
  return [
    { method: 'GET', path: INSTANCES, run: (request) => listInstances(services, request), right: 'look' },
    { method: 'POST', path: INSTANCES, run: (request) => createInstance(services, request), right: 'change' },
    { method: 'GET', path: `${INSTANCES}/{instance}`, run: readInstance, right: 'look' },
    { method: 'GET', path: '/v1beta1/projects/{project}', run: readProject, right: 'look' },
    {
      method: 'GET',
      path: '/namespaces/{database}/rulesets',
      run: (request) => listRulesets(services, request),
      right: 'look',
    },
    {
      method: 'GET',
      path: '/namespaces/{database}/rulesets/{id}',
      run: (request) => readRuleset(services, request),
      right: 'look',
    },
    {
      method: 'GET',
      path: '/namespaces/{database}/ruleset_labels',
      run: (request) => readRulesetLabels(services, request),
      right: 'look',
    },
  ];
}

/** `GET …/instances`: the databases in order, by pages; a token to ask for the next page is the last name on this one. */
async function listInstances(services: ManagementServices, request: ApiRequest): Promise<Answer> {
  const { identity, query, segments } = request;
  const limit = parsePageSize(query.get('pageSize'));
  const after = query.get('pageToken') ?? '';
  const names =
    services.databaseOwners?.list(segments['project'] ?? '', after, limit) ??
    (await services.administration.names(identity, after, limit));
  const instances = names.map((name) => instanceJson(request, name));
  return jsonAnswer(names.length < limit ? { instances } : { instances, nextPageToken: names.at(-1) });
}

/** `GET …/instances/<name>`: any database that could be, because it comes to be when something is written to it. */
async function readInstance(request: ApiRequest): Promise<Answer> {
  return jsonAnswer(instanceJson(request, segmentNamespace(request, 'instance')));
}

/** `POST …/instances?databaseId=<name>`: makes a database; with `validateOnly=true` it only tells whether it could. */
async function createInstance(services: ManagementServices, request: ApiRequest): Promise<Answer> {
  const { admin, query } = request;
  // Programs with the role for databases do this by the official tools; of members, those who may do so elsewhere.
  if (admin.grant?.kind === 'member' && !admin.roles.includes('project.owner'))
    throw new RequestError('auth/role');
  const name = parseNamespace(query.get('databaseId') ?? '');
  if (query.get('validateOnly') === 'true') await requireAvailable(services, request, name);
  else await createDatabase(services, request, name);
  return jsonAnswer(instanceJson(request, name));
}

/** `GET /v1beta1/projects/<id>`: what the official tools need to know to find the default database of a project. */
async function readProject({ segments }: ApiRequest): Promise<Answer> {
  const { project = '' } = segments;
  return jsonAnswer({
    projectId: project,
    state: 'ACTIVE',
    resources: { realtimeDatabaseInstance: defaultInstance(project) },
  });
}

/** `GET /namespaces/<database>/rulesets`: `{"rulesets":[{"id","createdAt","source"},…]}`, oldest first. */
async function listRulesets(services: ManagementServices, request: ApiRequest): Promise<Answer> {
  const { identity } = request;
  return jsonAnswer({
    rulesets: await services.administration.rulesets(identity, segmentNamespace(request, 'database')),
  });
}

/** `GET /namespaces/<database>/rulesets/<id>`: one ruleset. */
async function readRuleset(services: ManagementServices, request: ApiRequest): Promise<Answer> {
  const { identity, segments } = request;
  const database = segmentNamespace(request, 'database');
  const ruleset = await services.administration.findRuleset(identity, database, segments['id'] ?? '');
  if (ruleset === undefined) throw new RequestError('http/not-found');
  return jsonAnswer(ruleset);
}

/** `GET /namespaces/<database>/ruleset_labels`: which rulesets are the stable one and the canary; `{}` for none. */
async function readRulesetLabels(services: ManagementServices, request: ApiRequest): Promise<Answer> {
  const { identity } = request;
  const labels = await services.administration.rulesetLabels(identity, segmentNamespace(request, 'database'));
  return jsonAnswer(labels ?? {});
}

/** Where the databases are said to be for those who ask about all locations. */
const ANY_LOCATION = '-';
const LOCATION = 'us-central1';

/** A database as an instance of the management service. */
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

/** The database of a project whose clients name none. */
function defaultInstance(project: string): string {
  return `${project}-default-rtdb`;
}

/**
 * The address of a database. If clients call this server by a name of their own machine, the host names the database, because
 * the official command line forgets about parameters: by a mere `?ns=` it would read, and delete, what is in another database.
 */
function databaseUrl(origin: string, database: string): string {
  const host = /^http:\/\/(.+)$/.exec(origin)?.[1] ?? '';
  const name = parseHostName(host) ?? '';
  const port = /:([0-9]+)$/.exec(host)?.[0] ?? '';
  const isHere =
    name === 'localhost' || name.endsWith('.localhost') || name.startsWith('[') || isIP(name) !== 0;
  return isHere ? `http://${database}.db.localhost${port}` : `${origin}/?ns=${database}`;
}
