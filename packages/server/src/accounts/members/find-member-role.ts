import { MEMBER_ROLES, type MemberRole } from '../../identity/member-role.ts';
import type { AdminRole } from '../../tokens/service-account.ts';
import { ROLES_OF_MEMBER } from './roles-of-member.ts';

/** The highest role of a member all of whose rights an administrator has; `null` without those of a viewer. */
export function findMemberRole(roles: readonly AdminRole[]): MemberRole | null {
  return MEMBER_ROLES.find((role) => ROLES_OF_MEMBER[role].every((one) => includes(roles, one))) ?? null;
}

function includes(roles: readonly AdminRole[], role: AdminRole): boolean {
  return (
    roles.includes(role) ||
    (role === 'identity.viewer' && roles.includes('identity.admin')) ||
    (role === 'database.viewer' && roles.includes('database.admin'))
  );
}
