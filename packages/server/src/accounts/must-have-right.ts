import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { AdminRole } from '../tokens/service-account.ts';
import type { Administrator } from './administrator.ts';
import type { DatabaseOwners } from './database-owners.ts';
import type { Realm, Right } from './realm.ts';

type Owners = Pick<DatabaseOwners, 'find'>;

/** Roles of which each gives a right. */
type RightRoles = Readonly<Record<Right, readonly AdminRole[]>>;

const OF_DATABASES: RightRoles = {
  look: ['database.viewer', 'database.admin'],
  change: ['database.admin'],
  own: ['project.owner'],
};

const ROLES: Readonly<Record<Realm['kind'], RightRoles>> = {
  database: OF_DATABASES,
  project: OF_DATABASES,
  accounts: {
    look: ['identity.viewer', 'identity.admin'],
    change: ['identity.admin'],
    own: ['project.owner'],
  },
  server: OF_DATABASES,
};

/**
 * Refuses an administrator without a right: members with `member/unknown` where they are none, and with `auth/role` for want
 * of a role; others with `auth/admin-only`. Without `owners`, databases are of no project.
 */
export function mustHaveRight(
  admin: Pick<Administrator, 'grant' | 'projectId' | 'roles'>,
  realm: Realm,
  right: Right,
  owners: Owners | null,
): void {
  const hasRole = admin.roles.some((role) => ROLES[realm.kind][right].includes(role));
  const isThere = isWithin(realm, admin.projectId, owners);
  if (isThere && hasRole) return;
  if (admin.grant?.kind !== 'member') throw new Refusal('auth/admin-only');
  throw new Refusal(isThere || realm.kind === 'server' ? 'auth/role' : 'member/unknown');
}

/** A database that is no project's has no administrator, so that none comes to be by a slip of the pen. */
function isWithin(realm: Realm, projectId: string | null, owners: Owners | null): boolean {
  switch (realm.kind) {
    case 'database': {
      if (owners === null) return projectId === null;
      const owner = owners.find(realm.name);
      return owner !== undefined && (projectId === null || projectId === owner);
    }
    case 'project':
      return projectId === null || projectId === realm.id;
    case 'accounts':
      return projectId === null || projectId === realm.project;
    case 'server':
      return projectId === null;
    default:
      return realm satisfies never;
  }
}
