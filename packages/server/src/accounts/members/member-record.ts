import { MEMBER_ROLES, type MemberRole } from '../../identity/member-role.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';

/**
 * An account of a project that may use the console for it, as it is stored at `members/<project>/<uid>` of the book of the
 * installation. History: the first form has no number.
 */
export interface MemberRecord {
  readonly role: MemberRole;
  readonly addedAtMs: number;
}

export function encodeMember({ role, addedAtMs }: MemberRecord): JsonObject {
  return { role, addedAtMs };
}

/** Throws when the record has another shape. */
export function decodeMember(json: unknown): MemberRecord {
  if (isJsonObject(json)) {
    const role = MEMBER_ROLES.find((known) => known === json['role']);
    const addedAtMs = json['addedAtMs'];
    if (role !== undefined && typeof addedAtMs === 'number') return { role, addedAtMs };
  }
  throw new Error('The record of a member cannot be read.');
}
