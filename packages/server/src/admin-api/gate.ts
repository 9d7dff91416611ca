import { RequestError } from '@hearth/core/error/request-error.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { ProjectAdministration } from '../auth/projects/administration.ts';
import type { DatabaseOwners } from '../auth/projects/database-owners.ts';
import type { Administrators } from '../auth/roles/administrators.ts';
import { type Administrator, type Resource, type Right, requireRight } from '../auth/roles/rights.ts';
import type { RequestSource } from '../http/request-source.ts';

/** The services that admit administrators. */
export interface GateServices {
  readonly admins: Pick<Administrators, 'verify'>;
  readonly audit: AuditTrail;
  /** `null` in development mode, where no project owns a database. */
  readonly databaseOwners: DatabaseOwners | null;
  readonly projects: ProjectAdministration;
}

interface AdminClaim {
  readonly token: string;
  readonly client: RequestSource;
  readonly right: Right;
  /**
   * Returns the resource of the request. `callerProject` is the only project of the caller, or `null` if the
   * caller has all projects.
   */
  readonly resourceOf: (callerProject: string | null) => Resource;
}

/**
 * Resolves to the administrator whom a token identifies. Rejects if the token is not valid or the
 * administrator lacks the right, and records the rejection in the audit log.
 */
export async function admitAdmin(gate: GateServices, claim: AdminClaim): Promise<Administrator> {
  const { token, right, resourceOf } = claim;
  let admin: Administrator | undefined;
  try {
    admin = await gate.admins.verify(token);
    requireRight(admin, resourceOf(admin.projectId), right, gate.databaseOwners);
    return admin;
  } catch (error) {
    if (error instanceof RequestError) auditRejected(gate, claim, admin, error);
    throw error;
  }
}

function auditRejected(
  gate: GateServices,
  { client, resourceOf }: AdminClaim,
  admin: Administrator | undefined,
  { code }: RequestError,
): void {
  gate.audit.notify({
    event: 'admin_refused',
    projectId: findProject(gate, resourceOf(admin?.projectId ?? null)),
    uid: null,
    actor: admin?.name ?? 'unknown',
    ...client,
    result: code,
    detail: null,
  });
}

/**
 * Returns the project whose audit log records a rejection, or `null` for the server's audit log. Unknown
 * project ids go to the server's log, so that a caller who invents ids cannot create records.
 */
function findProject({ databaseOwners, projects }: GateServices, resource: Resource): string | null {
  switch (resource.kind) {
    case 'database':
      return databaseOwners?.find(resource.name) ?? null;
    case 'project':
      return projects.has(resource.id) ? resource.id : null;
    case 'accounts':
      return projects.has(resource.project) ? resource.project : null;
    case 'server':
      return null;
    default:
      return resource satisfies never;
  }
}
