import type { MemberRole } from '../../identity/member-role.ts';
import { ADMIN_ROLES, type AdminRole } from '../../tokens/service-account.ts';

/** What a member may do as an administrator of the project. */
export const ROLES_OF_MEMBER: Readonly<Record<MemberRole, readonly AdminRole[]>> = {
  owner: ADMIN_ROLES,
  editor: ['identity.admin', 'identity.viewer', 'identity.configAdmin', 'database.admin'],
  viewer: ['identity.viewer', 'database.viewer'],
};
