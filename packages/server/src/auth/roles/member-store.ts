import { MEMBER_ROLES, type MemberRole } from '../../access/principal.ts';
import {
  INSTALLATION,
  type RecordStoreView,
  type RecordTransaction,
  type RecordView,
} from '../../records/store.ts';
import { accountRecords, findAccount } from '../accounts/account-store.ts';
import { AuthApiError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import type { AccountScope } from '../tenants/scope.ts';

/**
 * An account that may use the console for a project, as stored at `members/<project>/<uid>` in the records of
 * the installation. History: the first version of the format has no version number.
 */
export interface MemberRecord {
  readonly role: MemberRole;
  readonly addedAtMs: number;
}

function encodeMember({ role, addedAtMs }: MemberRecord): JsonObject {
  return { role, addedAtMs };
}

/** Throws if the record has another shape. */
function decodeMember(json: unknown): MemberRecord {
  if (isJsonObject(json)) {
    const role = MEMBER_ROLES.find((known) => known === json['role']);
    const addedAtMs = json['addedAtMs'];
    if (role !== undefined && typeof addedAtMs === 'number') return { role, addedAtMs };
  }
  throw new Error('The record of a member cannot be read.');
}

/** Maximum number of members of a project. */
export const MAX_MEMBERS = 1_000;

/** An account that may use the console for a project. */
export interface Member extends MemberRecord {
  readonly uid: string;
}

export function findMember(records: RecordView, projectId: string, uid: string): Member | undefined {
  const json = records.find(['members', projectId, uid]);
  return json === undefined ? undefined : { uid, ...decodeMember(json) };
}

/**
 * Returns whether an account is that of a member. An account of a tenant never is, even if it has the uid of a member.
 */
export function isMember(view: RecordStoreView, scope: AccountScope, uid: string): boolean {
  return (
    scope.tenantId === null && findMember(view.records(INSTALLATION), scope.projectId, uid) !== undefined
  );
}

/** Returns the members of a project in the order of their uids: those after `after`, at most `limit`. */
export function listMembers(
  records: RecordView,
  projectId: string,
  after: string | undefined,
  limit: number,
): readonly Member[] {
  const range = after === undefined ? { limit } : { after, limit };
  return records
    .list(['members', projectId], range)
    .map(({ key, value }) => ({ uid: key, ...decodeMember(value) }));
}

/** Returns whether any project has a member. */
export function hasMembers(records: RecordView): boolean {
  return records.list(['members'], { limit: 1 }).length > 0;
}

/** Removes a member from a project. Does nothing if the account is not that of a member. */
export function removeMember(
  records: RecordTransaction,
  { projectId, tenantId }: AccountScope,
  uid: string,
): void {
  if (tenantId === null && findMember(records, projectId, uid) !== undefined)
    records.write(['members', projectId, uid], null);
}

export function saveMember(records: RecordTransaction, projectId: string, { uid, ...record }: Member): void {
  records.write(['members', projectId, uid], encodeMember(record));
}

/** Returns whether the project would have no owner who can sign in if this account were removed or disabled. */
export function isLastOwner(view: RecordStoreView, scope: AccountScope, uid: string): boolean {
  if (!isMember(view, scope, uid)) return false;
  const { projectId } = scope;
  const members = view.records(INSTALLATION);
  if (findMember(members, projectId, uid)?.role !== 'owner') return false;
  const accounts = view.records(accountRecords(scope));
  return !listMembers(members, projectId, undefined, MAX_MEMBERS).some(
    (other) =>
      other.uid !== uid && other.role === 'owner' && findAccount(accounts, other.uid)?.isDisabled === false,
  );
}

/**
 * Throws `PERMISSION_DENIED` if the account belongs to a member and the caller is an administrator who does not own
 * the project. Such an administrator could otherwise take over or remove the account and gain the member's
 * rights.
 */
export function requireNotMember(
  view: RecordStoreView,
  { caller, project }: Pick<AuthRequest, 'caller' | 'project'>,
  uid: string,
): void {
  if (caller.kind === 'admin' && !caller.ownsProject && isMember(view, project.scope, uid))
    throw new AuthApiError(
      'PERMISSION_DENIED',
      'Only owners of the project can change the accounts of its members.',
    );
}

/**
 * Throws `OPERATION_NOT_ALLOWED` if the account belongs to the project's last owner, even if the caller is that owner.
 */
export function requireNotLastOwner(view: RecordStoreView, scope: AccountScope, uid: string): void {
  if (isLastOwner(view, scope, uid))
    throw new AuthApiError(
      'OPERATION_NOT_ALLOWED',
      'This is the last owner of the project: make another member an owner first.',
    );
}
