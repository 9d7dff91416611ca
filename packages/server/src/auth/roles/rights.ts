import type { AdminRole } from '@hearth/core/api/service-account.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { ANONYMOUS, type CredentialSource, type Principal } from '../../access/principal.ts';
import { type Credential, createAdminPrincipal } from '../../access/verifier.ts';
import type { DatabaseOwners } from '../projects/database-owners.ts';

/** A caller with rights that apps do not have, in one project or in all projects. */
export interface Administrator {
  /** The name in the audit log and in the server's log. */
  readonly name: string;
  /** The only project in which the caller is an administrator; `null` for all projects. */
  readonly projectId: string | null;
  readonly roles: readonly AdminRole[];
  /** When the token expires, in ms since 1970; `null` if it does not expire. */
  readonly expiresAtMs: number | null;
  /** The source of the rights, which end when it is revoked. `null` if the rights end only with the token. */
  readonly grant: CredentialSource | null;
}

/** The resource on which an administrator works. Rights are granted per resource. */
export type Resource =
  | { readonly kind: 'database'; readonly name: string }
  | { readonly kind: 'project'; readonly id: string }
  /** The accounts of a project and its audit log. */
  | { readonly kind: 'accounts'; readonly project: string }
  /** All projects, and the list of projects. */
  | { readonly kind: 'server' };

/** `read`: read everything. `write`: change data and settings. `admin`: decide who has these rights. */
export type Right = 'read' | 'write' | 'admin';

type Owners = Pick<DatabaseOwners, 'find'>;

/** The administrator roles that grant each right. Any one of them is enough. */
type RightRoles = Readonly<Record<Right, readonly AdminRole[]>>;

const OF_DATABASES: RightRoles = {
  read: ['database.viewer', 'database.admin'],
  write: ['database.admin'],
  admin: ['project.owner'],
};

const ROLES: Readonly<Record<Resource['kind'], RightRoles>> = {
  database: OF_DATABASES,
  project: OF_DATABASES,
  accounts: {
    read: ['identity.viewer', 'identity.admin'],
    write: ['identity.admin'],
    admin: ['project.owner'],
  },
  server: OF_DATABASES,
};

/**
 * Throws if an administrator lacks a right. Members get `member/unknown` if they are not members of the
 * project, and `auth/role` if their role is too low; other administrators get `auth/admin-only`. If `owners` is
 * `null`, databases belong to no project.
 */
export function requireRight(
  admin: Pick<Administrator, 'grant' | 'projectId' | 'roles'>,
  resource: Resource,
  right: Right,
  owners: Owners | null,
): void {
  const hasRole = admin.roles.some((role) => ROLES[resource.kind][right].includes(role));
  const isInScope = isWithin(resource, admin.projectId, owners);
  if (isInScope && hasRole) return;
  if (admin.grant?.kind !== 'member') throw new RequestError('auth/admin-only');
  throw new RequestError(isInScope || resource.kind === 'server' ? 'auth/role' : 'member/unknown');
}

/**
 * Returns whether an administrator of a project, or of all projects (`null`), can have rights for a resource. A
 * database that belongs to no project has no administrators, so that a typing error in a name does not create a
 * database.
 */
function isWithin(resource: Resource, projectId: string | null, owners: Owners | null): boolean {
  switch (resource.kind) {
    case 'database': {
      if (owners === null) return projectId === null;
      const owner = owners.find(resource.name);
      return owner !== undefined && (projectId === null || projectId === owner);
    }
    case 'project':
      return projectId === null || projectId === resource.id;
    case 'accounts':
      return projectId === null || projectId === resource.project;
    case 'server':
      return projectId === null;
    default:
      return resource satisfies never;
  }
}

/**
 * Returns the principal of a project's administrator in the project's databases. An administrator without a
 * role for databases is anonymous there.
 */
export function databasePrincipal(
  credential: Pick<Credential, 'override'>,
  { roles, expiresAtMs, grant }: Administrator,
): Principal {
  const mayChange = roles.includes('database.admin');
  if (!mayChange && !roles.includes('database.viewer')) return ANONYMOUS;
  return createAdminPrincipal(credential, { mayChange, expiresAtMs, grant });
}
