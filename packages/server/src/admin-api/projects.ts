import { ADMIN_ROLES, type AdminRole } from '@hearth/core/api/service-account.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { ProjectAdministration } from '../auth/projects/administration.ts';
import { type Answer, jsonAnswer } from '../http/response.ts';
import { recordAdminAction } from './audit.ts';
import { parseLimitParameter, readFields, requireKnownParameters } from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface ProjectServices {
  readonly audit: AuditTrail;
  readonly projects: ProjectAdministration;
}

const PROJECT = '/api/projects/{project}';
const ACCOUNT = `${PROJECT}/service-accounts/{name}`;
const ACCOUNT_KEYS = `${ACCOUNT}/keys`;

/** Returns the routes of projects, their API keys and their service accounts. */
export function projectRoutes(services: ProjectServices): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/projects',
      run: (request) => listProjects(services, request),
      right: 'read',
    },
    {
      method: 'POST',
      path: '/api/projects',
      run: (request) => createProject(services, request),
      right: 'admin',
    },
    {
      method: 'GET',
      path: `${PROJECT}/challenges`,
      run: (request) => readChallenges(services, request),
      right: 'read',
      isFor: 'accounts',
    },
    {
      method: 'GET',
      path: `${PROJECT}/keys`,
      run: (request) => listProjectKeys(services, request),
      right: 'admin',
    },
    {
      method: 'POST',
      path: `${PROJECT}/keys`,
      run: (request) => addProjectKey(services, request),
      right: 'admin',
    },
    {
      method: 'DELETE',
      path: `${PROJECT}/keys/{key}`,
      run: (request) => removeProjectKey(services, request),
      right: 'admin',
    },
    {
      method: 'GET',
      path: `${PROJECT}/service-accounts`,
      run: (request) => listServiceAccounts(services, request),
      right: 'admin',
    },
    {
      method: 'PATCH',
      path: ACCOUNT,
      run: (request) => changeServiceAccount(services, request),
      right: 'admin',
    },
    {
      method: 'POST',
      path: ACCOUNT_KEYS,
      run: (request) => addServiceAccountKey(services, request),
      right: 'admin',
    },
    {
      method: 'DELETE',
      path: `${ACCOUNT_KEYS}/{key}`,
      run: (request) => removeServiceAccountKey(services, request),
      right: 'admin',
    },
  ];
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** `GET /api/projects`: lists projects as `{"projects":[{"id"},…],"next"}`, in order of id. */
async function listProjects(services: ProjectServices, { query }: ApiRequest): Promise<Answer> {
  requireKnownParameters(query, ['after', 'limit']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const ids = services.projects.list(query.get('after') ?? undefined, limit);
  const next = ids.length < limit ? null : (ids.at(-1) ?? null);
  return jsonAnswer({ projects: ids.map((id) => ({ id })), next });
}

/** `POST /api/projects` with `{"id"}`: creates a project and returns its first API key. */
async function createProject(services: ProjectServices, request: ApiRequest): Promise<Answer> {
  const fields = await readFields(request, ['id']);
  const { project, apiKey } = await services.projects.create(String(fields.get('id') ?? ''));
  recordAdminAction(services.audit, request, project.id, 'project_created');
  return jsonAnswer({ id: project.id, number: project.number, apiKey });
}

/**
 * `GET /api/projects/<project>/challenges`: returns how long clients say that they took for the latest solved challenges,
 * `{"actions":[{"action","reports","medianMs"},…]}`.
 */
async function readChallenges({ projects }: ProjectServices, { segments }: ApiRequest): Promise<Answer> {
  return jsonAnswer({ actions: projects.solvingTimes(segments['project'] ?? '') });
}

/** `GET /api/projects/<project>/keys`: lists API keys as `{"keys":[{"apiKey","createdAtMs"},…]}`. */
async function listProjectKeys(services: ProjectServices, { segments }: ApiRequest): Promise<Answer> {
  return jsonAnswer({ keys: services.projects.keys(segments['project'] ?? '') });
}

/** `POST /api/projects/<project>/keys`: creates a further API key and returns it as `{"apiKey"}`. */
async function addProjectKey(services: ProjectServices, request: ApiRequest): Promise<Answer> {
  const project = request.segments['project'] ?? '';
  const apiKey = await services.projects.addKey(project);
  recordAdminAction(services.audit, request, project, 'api_key_created');
  return jsonAnswer({ apiKey });
}

/**
 * `DELETE /api/projects/<project>/keys/<key>`: removes an API key. The server rejects all later requests with
 * this key.
 */
async function removeProjectKey(services: ProjectServices, request: ApiRequest): Promise<Answer> {
  const { project = '', key = '' } = request.segments;
  await services.projects.removeKey(project, key);
  recordAdminAction(services.audit, request, project, 'api_key_removed');
  return jsonAnswer({});
}

/** `GET /api/projects/<project>/service-accounts`: lists the service accounts with the ids of their keys. */
async function listServiceAccounts(services: ProjectServices, { segments }: ApiRequest): Promise<Answer> {
  return jsonAnswer({ serviceAccounts: services.projects.serviceAccounts(segments['project'] ?? '') });
}

/**
 * `POST /api/projects/<project>/service-accounts/<name>/keys`: creates a key and returns the key file. The
 * server does not store the private key. The optional field `{"roles":[…]}` sets the roles of a new account; an
 * existing one must already have them.
 */
async function addServiceAccountKey(services: ProjectServices, request: ApiRequest): Promise<Answer> {
  const { origin, segments } = request;
  const fields = await readFields(request, ['roles']);
  const given = fields.get('roles');
  const roles = given === undefined ? undefined : parseRoles(given);
  const { project = '', name = '' } = segments;
  const keyFile = await services.projects.createKeyFile(project, name, roles, `${origin}/token`);
  recordAdminAction(services.audit, request, project, 'service_account_changed', `Added a key to ${name}`);
  return jsonAnswer(keyFile);
}

/** `PATCH /api/projects/<project>/service-accounts/<name>` with `{"roles"}`: replaces the roles of an account. */
async function changeServiceAccount(services: ProjectServices, request: ApiRequest): Promise<Answer> {
  const fields = await readFields(request, ['roles']);
  const roles = parseRoles(fields.get('roles'));
  const { project = '', name = '' } = request.segments;
  await services.projects.setServiceAccountRoles(project, name, roles);
  const change = `Gave ${name} the roles ${roles.join(', ')}`;
  recordAdminAction(services.audit, request, project, 'service_account_changed', change);
  return jsonAnswer({ roles });
}

function parseRoles(json: unknown): readonly AdminRole[] {
  const roles = Array.isArray(json) ? ADMIN_ROLES.filter((role) => json.includes(role)) : [];
  if (!Array.isArray(json) || roles.length === 0 || roles.length !== json.length)
    throw new RequestError(
      'request/malformed',
      `"roles" must be an array of at least one of ${ADMIN_ROLES.join(', ')}.`,
    );
  return roles;
}

/**
 * `DELETE /api/projects/<project>/service-accounts/<name>/keys/<key>`: removes a key. All access that was
 * obtained with the key ends immediately.
 */
async function removeServiceAccountKey(services: ProjectServices, request: ApiRequest): Promise<Answer> {
  const { project = '', name = '', key = '' } = request.segments;
  await services.projects.removeServiceAccountKey(project, name, key);
  recordAdminAction(
    services.audit,
    request,
    project,
    'service_account_changed',
    `Removed a key from ${name}`,
  );
  return jsonAnswer({});
}
