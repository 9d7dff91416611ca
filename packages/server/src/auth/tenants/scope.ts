declare const tenantBrand: unique symbol;
declare const scopeBrand: unique symbol;

/** A valid id of a tenant. It is part of the names of record stores. */
export type TenantId = string & { readonly [tenantBrand]: 'TenantId' };

const TENANT_ID = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/;

/** Returns the text as the id of a tenant, or `undefined` if no tenant can have it. */
export function parseTenantId(text: string): TenantId | undefined {
  return TENANT_ID.test(text) ? (text as TenantId) : undefined;
}

/**
 * A set of accounts that shares nothing with any other set: the accounts of one tenant (`tenantId`), or those of a
 * project that belong to no tenant (`null`). Everything that refers to an account by its uid, address or number is
 * stored by scope. Only `projectScope` and `tenantScope` create one, so that code cannot forget to decide.
 */
export interface AccountScope {
  readonly projectId: string;
  readonly tenantId: TenantId | null;
  readonly [scopeBrand]: true;
}

/** Returns the scope of the accounts of a project that belong to no tenant. The members of the console are in it. */
export function projectScope(projectId: string): AccountScope {
  return { projectId, tenantId: null } as AccountScope;
}

export function tenantScope(projectId: string, tenantId: TenantId): AccountScope {
  return { projectId, tenantId } as AccountScope;
}

/** Separates the parts of the name of a scope. No project id contains it. */
const SEPARATOR = '/';

/** Returns a text that names the scope and no other one: the id of the project alone if there is no tenant. */
export function nameOfScope({ projectId, tenantId }: AccountScope): string {
  return tenantId === null ? projectId : `${projectId}${SEPARATOR}${tenantId}`;
}

/** Returns the name of the project or of the tenant as a resource of the API: `projects/shop/tenants/acme`. */
export function resourceOfScope({ projectId, tenantId }: AccountScope): string {
  return tenantId === null ? `projects/${projectId}` : `projects/${projectId}/tenants/${tenantId}`;
}

/** Returns the scope with a name. */
export function scopeOfName(name: string): AccountScope {
  const [projectId = '', tenantId] = name.split(SEPARATOR, 2);
  return tenantId === undefined ? projectScope(projectId) : tenantScope(projectId, tenantId as TenantId);
}
