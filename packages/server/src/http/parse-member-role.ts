import { Refusal } from '@hearth/core/fault/refusal.ts';
import { MEMBER_ROLES, type MemberRole } from '../identity/member-role.ts';

/** Reads `role` of a body. */
export function parseMemberRole(fields: ReadonlyMap<string, unknown>): MemberRole {
  const role = MEMBER_ROLES.find((known) => known === fields.get('role'));
  if (role === undefined)
    throw new Refusal('request/malformed', `"role" must be one of ${MEMBER_ROLES.join(', ')}.`);
  return role;
}
