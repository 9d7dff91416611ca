/** Returns an address relative to `/console` from decoded path segments. */
function at(...segments: readonly string[]): string {
  return `/${segments.map(encodeURIComponent).join('/')}`;
}

export function projectAddress(project: string): string {
  return at('projects', project);
}

/** Returns the address of an area of a project, such as `data`, `rules` or `accounts`. */
export function areaAddress(project: string, area: string): string {
  return at('projects', project, area);
}

/** Returns the address of a node in the explorer; `path` is a database path such as `/rooms/lobby`. */
export function dataAddress(project: string, database: string, path = '/'): string {
  const keys = path.split('/').filter((key) => key !== '');
  return at('projects', project, 'data', database, ...keys);
}

/** Returns the address of a rules tab: `edit`, `denials`, `simulator`, `versions` or `cases`. */
export function rulesAddress(project: string, database: string, tab = 'edit'): string {
  return at('projects', project, 'rules', database, tab);
}

/** Returns the address of the list of accounts of a tenant, or of those without a tenant. */
export function accountsAddress({ project, tenant }: AccountsOfTenant): string {
  return areaAddress(project, 'accounts') + tenantQuery(tenant);
}

/** Returns the address of an account of a tenant, or of one without a tenant. */
export function accountAddress({ project, tenant }: AccountsOfTenant, uid: string): string {
  return at('projects', project, 'accounts', uid) + tenantQuery(tenant);
}

interface AccountsOfTenant {
  readonly project: string;
  readonly tenant?: string | undefined;
}

/** The parameter of the address that names the tenant. */
export const TENANT = 'tenant';

function tenantQuery(tenant: string | undefined): string {
  return tenant === undefined ? '' : `?${new URLSearchParams({ [TENANT]: tenant })}`;
}

/** Returns the decoded path segments below the project. Segments that cannot be decoded stay unchanged. */
export function segmentsBelowProject(pathname: string): readonly string[] {
  const [, , , , ...segments] = pathname.split('/');
  return segments.filter((segment) => segment !== '').map(decodeOrKeep);
}

function decodeOrKeep(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** `localStorage` key of the last project that the member signed in to. */
const REMEMBERED = 'hearth.console.project';

/**
 * Returns the project to sign in to: that of the path, otherwise that of the parameter `project`, otherwise the last one that
 * the member signed in to. Returns `undefined` if the user has to choose one, such as with an empty parameter.
 */
export function projectOfAddress({
  pathname,
  search,
}: Pick<Location, 'pathname' | 'search'>): string | undefined {
  const named = /^\/console\/projects\/([^/]+)/.exec(pathname)?.[1];
  if (named !== undefined) return decodeURIComponent(named);
  const requested = new URLSearchParams(search).get('project');
  return (requested ?? localStorage.getItem(REMEMBERED) ?? '') || undefined;
}

export function rememberProject(project: string): void {
  localStorage.setItem(REMEMBERED, project);
}
