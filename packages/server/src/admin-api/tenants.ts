import { RequestError } from '@hearth/core/error/request-error.ts';
import { type AccountScope, parseTenantId, projectScope, tenantScope } from '../auth/tenants/scope.ts';
import type { Tenant } from '../auth/tenants/tenant.ts';
import type { Tenants } from '../auth/tenants/tenants.ts';
import { type Answer, jsonAnswer } from '../http/response.ts';
import { parseLimitParameter, requireKnownParameters } from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface TenantServices {
  readonly tenants: Pick<Tenants, 'find' | 'list' | 'findByStart' | 'count'>;
}

/** Returns the route that lists the tenants of a project. The Auth API creates and changes them. */
export function tenantRoutes(services: TenantServices): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/projects/{project}/tenants',
      run: (request) => listTenants(services, request),
      right: 'read',
      isFor: 'accounts',
    },
  ];
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_TEXT_LENGTH = 256;

/**
 * `GET /api/projects/<project>/tenants`: lists tenants as
 * `{"tenants":[{"id","displayName","isDisabled","methods","createdAtMs"}],"next","count"}`, in the order of their ids.
 * With `text`, returns some of the tenants whose id, or a word of whose display name, begins with it.
 */
async function listTenants({ tenants }: TenantServices, { segments, query }: ApiRequest): Promise<Answer> {
  requireKnownParameters(query, ['text', 'after', 'limit']);
  const project = { id: segments['project'] ?? '' };
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const [text, after] = [query.get('text'), query.get('after')];
  const count = tenants.count(project);
  if (text !== null) {
    if (after !== null)
      throw new RequestError('http/parameter', 'The query parameter after cannot be used with text.');
    if (text === '' || text.length > MAX_TEXT_LENGTH)
      throw new RequestError(
        'http/parameter',
        `The query parameter text must have 1 to ${MAX_TEXT_LENGTH} characters.`,
      );
    return jsonAnswer({
      tenants: tenants.findByStart(project, text, limit).map(printTenant),
      next: null,
      count,
    });
  }
  const from = after === null ? undefined : parseTenantId(after);
  if (after !== null && from === undefined)
    throw new RequestError('http/parameter', 'The query parameter after must be the id of a tenant.');
  const page = tenants.list(project, from, limit);
  const next = page.length === limit ? (page.at(-1)?.id ?? null) : null;
  return jsonAnswer({ tenants: page.map(printTenant), next, count });
}

/** Sign-in methods of a tenant, by the members of its settings that switch them. */
const METHODS = {
  allowPasswordSignup: 'password',
  enableEmailLinkSignin: 'email-link',
  enableAnonymousUser: 'anonymous',
} as const;

function printTenant({ id, config, createdAtMs }: Tenant): object {
  const { displayName, disableAuth } = config;
  const methods = Object.entries(METHODS).flatMap(([member, name]) => (config[member] === true ? name : []));
  return { id, displayName: displayName ?? '', isDisabled: disableAuth === true, methods, createdAtMs };
}

/**
 * Returns the scope that the query parameter `tenant` selects: the accounts of that tenant, or without it those of the project
 * without a tenant. Throws `http/parameter` if the project has no such tenant.
 */
export function parseScope(
  { tenants }: TenantServices,
  project: string,
  query: URLSearchParams,
): AccountScope {
  const name = query.get('tenant');
  if (name === null) return projectScope(project);
  const id = parseTenantId(name);
  if (id === undefined || tenants.find({ id: project }, id) === undefined)
    throw new RequestError(
      'http/parameter',
      `The project has no tenant ${JSON.stringify(name.slice(0, 64))}.`,
    );
  return tenantScope(project, id);
}
