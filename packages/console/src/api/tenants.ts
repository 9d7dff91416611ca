import type { Api } from './client.ts';

/** Sign-in methods of a tenant, by the members of its settings that switch them. */
export const TENANT_METHODS = {
  password: 'allowPasswordSignup',
  'email-link': 'enableEmailLinkSignin',
  anonymous: 'enableAnonymousUser',
} as const;
export type TenantMethod = keyof typeof TENANT_METHODS;

/** A set of accounts of a project with its own settings. */
export interface Tenant {
  readonly id: string;
  /** Empty if the tenant has no name. */
  readonly displayName: string;
  readonly isDisabled: boolean;
  readonly methods: readonly TenantMethod[];
  readonly createdAtMs: number;
}

export interface TenantPage {
  readonly tenants: readonly Tenant[];
  /** The `after` parameter of the next page; `null` after the last page. */
  readonly next: string | null;
  /** The number of tenants of the project. */
  readonly count: number;
}

/** The settings of a tenant that the console changes. */
export type TenantSettings = Pick<Tenant, 'displayName' | 'isDisabled' | 'methods'>;

/** Lists tenants in the order of their IDs; with `text`, some of those whose ID or word of the name begins with it. */
export function listTenants(
  api: Api,
  project: string,
  query: { readonly text?: string; readonly after?: string | undefined; readonly limit: number },
  signal: AbortSignal,
): Promise<TenantPage> {
  return api.json(`/api/projects/${encodeURIComponent(project)}/tenants`, { query: { ...query }, signal });
}

function tenantsAt(project: string, id?: string): string {
  const below = id === undefined ? '' : `/${encodeURIComponent(id)}`;
  return `/identitytoolkit.googleapis.com/v2/projects/${encodeURIComponent(project)}/tenants${below}`;
}

export async function createTenant(api: Api, project: string, settings: TenantSettings): Promise<void> {
  await api.send(tenantsAt(project), { method: 'POST', body: bodyOf(settings) });
}

export async function changeTenant(
  api: Api,
  project: string,
  id: string,
  settings: TenantSettings,
): Promise<void> {
  const body = bodyOf(settings);
  const query = { updateMask: Object.keys(body).join(',') };
  await api.send(tenantsAt(project, id), { method: 'PATCH', query, body });
}

/** Deletes a tenant with all its accounts. */
export async function deleteTenant(api: Api, project: string, id: string): Promise<void> {
  await api.send(tenantsAt(project, id), { method: 'DELETE' });
}

/** Returns the body that sets a tenant. An empty name is left out, because the server rejects it. */
function bodyOf({ displayName, isDisabled, methods }: TenantSettings): Readonly<Record<string, unknown>> {
  const switches = Object.entries(TENANT_METHODS).map(([method, member]) => [
    member,
    methods.some((one) => one === method),
  ]);
  return {
    ...(displayName === '' ? {} : { displayName }),
    disableAuth: isDisabled,
    ...Object.fromEntries(switches),
  };
}
