import { AuthApiError, type AuthErrorCode } from '../errors.ts';
import type { Fields } from '../fields.ts';
import type { Project } from '../projects/project.ts';
import { isConsoleKey } from '../projects/projects.ts';
import type { Caller } from '../request.ts';
import type { AuthServices } from '../services.ts';
import type { VerifiedToken } from '../tokens/id-token.ts';
import { isClaims, parseJwt } from '../tokens/jwt.ts';
import { MAX_TOKEN_LENGTH } from '../tokens/services.ts';
import { type AccountScope, parseTenantId } from './scope.ts';

/** The parts of a request that name its tenant. */
export interface TenantRequest {
  readonly project: Project;
  readonly caller: Caller;
  readonly segments: Readonly<Record<string, string>>;
  readonly fields: Fields;
  /** Whether the method concerns the project itself. */
  readonly isOfProject: boolean;
}

type Services = Pick<AuthServices, 'tenants' | 'refreshTokens'>;

/**
 * Returns the project of a request as its tenant changes it; unchanged if the request concerns no tenant. The path or the
 * body names the tenant. For an app, its token names the tenant too: clients omit the tenant in requests with a token.
 * Throws `TENANT_ID_MISMATCH` if two of these disagree. The token is not verified yet: the method does that, within the
 * scope of the result.
 */
export function selectTenant(request: TenantRequest, services: Services): Project {
  const { project, caller, segments, fields } = request;
  const [named, other] = [segments['tenant'], fields.filled('tenantId')].filter((name) => name !== undefined);
  if (other !== undefined && other !== named) throw new AuthApiError('TENANT_ID_MISMATCH');
  if (request.isOfProject) {
    if (named !== undefined) throw new AuthApiError('UNSUPPORTED_TENANT_OPERATION');
    return project;
  }
  const ofToken = caller.kind === 'admin' ? undefined : findTenantOfToken(fields, services);
  if (named !== undefined && ofToken !== undefined && ofToken !== named)
    throw new AuthApiError('TENANT_ID_MISMATCH');
  if (named !== undefined)
    return requireTenant(
      services,
      request,
      named,
      caller.kind === 'admin' ? 'TENANT_NOT_FOUND' : 'INVALID_TENANT_ID',
    );
  // With this error, clients sign out a user who does not exist, such as a user of a deleted tenant.
  return ofToken === undefined || ofToken === null
    ? project
    : requireTenant(services, request, ofToken, 'USER_NOT_FOUND');
}

function requireTenant(
  { tenants }: Services,
  { project, caller }: TenantRequest,
  name: string,
  unknown: AuthErrorCode,
): Project {
  // The members of the console do not belong to a tenant.
  if (caller.kind === 'app' && isConsoleKey(caller.apiKey)) throw new AuthApiError('INVALID_TENANT_ID');
  const selected = findTenantProject(project, name, { tenants });
  if (selected === undefined) throw new AuthApiError(unknown);
  return selected;
}

/** Returns the tenant that a token in a request names, `null` for none, or `undefined` if there is no readable token. */
function findTenantOfToken(fields: Fields, { refreshTokens }: Services): string | null | undefined {
  const idToken = fields.find('idToken');
  if (typeof idToken === 'string' && idToken !== '') return findTenantClaim(idToken);
  const refreshToken = fields.find('refreshToken');
  return typeof refreshToken === 'string' ? refreshTokens.parse(refreshToken)?.tenantId : undefined;
}

function findTenantClaim(idToken: string): string | null | undefined {
  if (idToken.length > MAX_TOKEN_LENGTH) return undefined;
  try {
    const { firebase } = parseJwt(idToken).claims;
    const tenant = isClaims(firebase) ? firebase['tenant'] : undefined;
    return typeof tenant === 'string' && tenant !== '' ? tenant : null;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return undefined;
  }
}

/** Returns a project as the tenant of a verified token changes it. Throws `USER_NOT_FOUND` if the tenant was deleted. */
export function projectOfToken(
  project: Project,
  { tenantId }: Pick<VerifiedToken, 'tenantId'>,
  { tenants }: Pick<AuthServices, 'tenants'>,
): Project {
  if (tenantId === undefined) return project;
  const selected = findTenantProject(project, tenantId, { tenants });
  if (selected === undefined) throw new AuthApiError('USER_NOT_FOUND');
  return selected;
}

/** Returns a project as the tenant with an id changes it; `undefined` if it has no such tenant. */
export function findTenantProject(
  project: Project,
  tenantId: string,
  { tenants }: Pick<AuthServices, 'tenants'>,
): Project | undefined {
  const id = parseTenantId(tenantId);
  return id === undefined ? undefined : tenants.findProject(project, id);
}

/** Returns the project of a scope as its tenant changes it; `undefined` if one of them was deleted. */
export function findProjectOfScope(
  { projectId, tenantId }: AccountScope,
  { projects, tenants }: Pick<AuthServices, 'projects' | 'tenants'>,
): Project | undefined {
  const project = projects.find(projectId);
  if (project === undefined || tenantId === null) return project;
  return tenants.findProject(project, tenantId);
}
