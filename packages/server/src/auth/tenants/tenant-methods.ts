import { AuthApiError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import { applyUpdate } from '../projects/config.ts';
import { readConfigUpdate, readUpdateMask } from '../projects/config-update.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { parseTenantId, resourceOfScope, type TenantId, tenantScope } from './scope.ts';
import type { Tenant } from './tenant.ts';
import { changedTenantMembers, NEW_TENANT } from './tenant-config.ts';

const DEFAULT_PAGE = 20;
const MAX_PAGE = 1_000;

/** `POST /v2/projects/{project}/tenants`: creates a tenant. No sign-in method is enabled unless the body enables it. */
export async function createTenant(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  services.throttle.requireAllowedInProject(call.project.id, 'configChanges');
  const tenant = await services.tenants.create(call.project, withDefaults(readConfigUpdate(call.fields)));
  recordAudit(services, call, 'tenant_created', null, { detail: tenant.id });
  return tenantJson(call, tenant);
}

export async function readTenant(call: AuthRequest, { tenants }: AuthServices): Promise<JsonObject> {
  const tenant = tenants.find(call.project, requireId(call));
  if (tenant === undefined) throw new AuthApiError('TENANT_NOT_FOUND');
  return tenantJson(call, tenant);
}

/**
 * `PATCH /v2/projects/{project}/tenants/{id}`: sets the fields that `updateMask` names and the body contains. Without a
 * mask, sets all fields: those that the body does not contain get the values of a new tenant.
 */
export async function updateTenant(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const update = readConfigUpdate(call.fields);
  const mask = readUpdateMask(call.fields);
  services.throttle.requireAllowedInProject(call.project.id, 'configChanges');
  const { before, after } = await services.tenants.change(call.project, requireId(call), (config) =>
    mask.length === 0 ? withDefaults(update) : applyUpdate(config, update, mask),
  );
  const changed = changedTenantMembers(before.config, after.config);
  recordAudit(services, call, 'tenant_changed', null, { detail: [after.id, ...changed].join(', ') });
  return tenantJson(call, after);
}

/** `DELETE /v2/projects/{project}/tenants/{id}`: deletes a tenant and all its accounts. */
export async function deleteTenant(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const id = requireId(call);
  services.throttle.requireAllowedInProject(call.project.id, 'configChanges');
  await services.tenants.remove(call.project, id);
  recordAudit(services, call, 'tenant_deleted', null, { detail: id });
  return {};
}

/** `GET /v2/projects/{project}/tenants`: lists tenants in pages. The page token is the last id of the previous page. */
export async function listTenants(call: AuthRequest, { tenants }: AuthServices): Promise<JsonObject> {
  const pageSize = call.fields.whole('pageSize') ?? DEFAULT_PAGE;
  if (pageSize < 1 || pageSize > MAX_PAGE)
    throw new AuthApiError('INVALID_ARGUMENT', `"pageSize" must be from 1 to ${MAX_PAGE}.`);
  const token = call.fields.filled('pageToken');
  const after = token === undefined ? undefined : parseTenantId(token);
  if (token !== undefined && after === undefined) throw new AuthApiError('INVALID_PAGE_SELECTION');
  const page = tenants.list(call.project, after, pageSize);
  const last = page.length === pageSize ? page.at(-1) : undefined;
  return {
    tenants: page.map((tenant) => tenantJson(call, tenant)),
    ...(last === undefined ? {} : { nextPageToken: last.id }),
  };
}

/** Returns the settings of a new tenant with those that a request contains. */
function withDefaults(json: JsonObject): JsonObject {
  const mfaConfig = json['mfaConfig'];
  return {
    ...NEW_TENANT,
    ...json,
    ...(isJsonObject(mfaConfig) ? { mfaConfig: { ...Object(NEW_TENANT['mfaConfig']), ...mfaConfig } } : {}),
  };
}

function requireId({ segments }: AuthRequest): TenantId {
  const id = parseTenantId(segments['id'] ?? '');
  if (id === undefined) throw new AuthApiError('TENANT_NOT_FOUND');
  return id;
}

function tenantJson({ project }: AuthRequest, { id, config }: Tenant): JsonObject {
  return { name: resourceOfScope(tenantScope(project.id, id)), ...config };
}
