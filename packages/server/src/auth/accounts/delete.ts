import { type BooksTurn, INSTALLATION } from '../../records/store.ts';
import { removeCodesOf } from '../codes/code-store.ts';
import { IdentityError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { forgetTries } from '../mfa/attempts.ts';
import type { IdentityCall } from '../request.ts';
import { isMember, mustSpareLastOwner, mustSpareMembers, removeMember } from '../roles/member-store.ts';
import { type IdentityServices, tellAudit } from '../services.ts';
import { mustBeRecent, mustFindHolder, mustVerifyToken } from '../sign-in/current-user.ts';
import { countSessions, endSessions } from '../sign-in/session-store.ts';
import type { Account } from './account.ts';
import { accountsBook, findAccount, removeAccount } from './account-store.ts';
import { mustFindAccount, mustNameAccount } from './update-by-admin.ts';

/**
 * Deletes an account of a project, its sessions, codes and sign-in attempts, and its membership in the console.
 */
export function eraseAccount(turn: BooksTurn, projectId: string, account: Account): void {
  const book = turn.book(accountsBook(projectId));
  removeAccount(book, account);
  endSessions(book, account.uid);
  forgetTries(book, account.uid);
  removeCodesOf(book, account.uid);
  removeMember(turn.book(INSTALLATION), projectId, account.uid);
}

const KIND = 'identitytoolkit#DeleteAccountResponse';

/** `accounts:delete` by an administrator. */
async function deleteByAdmin(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const uid = mustNameAccount(call.fields);
  await services.books.change((turn) => {
    const { id } = call.project;
    const account = mustFindAccount(turn.book(accountsBook(id)), uid);
    mustSpareMembers(turn, call, uid);
    mustSpareLastOwner(turn, id, uid);
    services.throttle.mustAllowInProject(id, 'deletions');
    eraseAccount(turn, id, account);
  });
  tellAudit(services, call, 'account_deleted', uid);
  return { kind: KIND };
}

/**
 * `accounts:delete`: deletes the account to which an ID token belongs, or, for administrators, the account that
 * they name.
 */
export async function deleteAccount(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { fields, caller, project } = call;
  if (caller.kind === 'admin' && (fields.has('localId') || !fields.has('idToken')))
    return deleteByAdmin(call, services);
  const token = await mustVerifyToken(call, services);
  if (!project.settings.isDeletionEnabled) throw new IdentityError('ADMIN_ONLY_OPERATION');
  await services.books.change((turn) => {
    const account = mustFindHolder(turn.book(accountsBook(project.id)), token);
    mustBeRecent(account, token, turn.nowMs);
    mustSpareLastOwner(turn, project.id, account.uid);
    services.throttle.mustAllowInProject(project.id, 'deletions');
    eraseAccount(turn, project.id, account);
  });
  tellAudit(services, call, 'account_deleted', token.uid);
  return { kind: KIND };
}

const MAX_ACCOUNTS = 1_000;
/**
 * Most accounts and sessions that one transaction removes, so that other requests do not wait long. A
 * transaction always removes at least one account.
 */
const STEP_RECORDS = 200;

interface ItemError {
  readonly index: number;
  readonly localId: string;
  readonly message: string;
}

/** `accounts:batchDelete`: deletes up to 1,000 accounts in steps. Unknown user ids are not an error. */
export async function batchDelete(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const names = call.fields.texts('localIds') ?? [];
  const isForced = call.fields.flag('force') ?? false;
  if (names.length === 0 || names.length > MAX_ACCOUNTS)
    throw new IdentityError('LOCAL_ID_LIST_EXCEEDS_LIMIT');
  services.throttle.mustAllowInProject(call.project.id, 'batchDeletions');
  const uids = [...new Set(names)];
  const errors: ItemError[] = [];
  for (let done = 0; done < uids.length; ) {
    const step = await services.books.change((turn) => eraseSome(turn, call, uids.slice(done), isForced));
    done += step.done;
    for (const { localId, message } of step.kept)
      errors.push({ index: names.indexOf(localId), localId, message });
  }
  tellAudit(services, call, 'accounts_deleted', null, { detail: `${uids.length - errors.length} accounts` });
  return errors.length === 0 ? {} : { errors };
}

interface Step {
  /** The number of user ids that the step has processed. */
  readonly done: number;
  /** Those of them that were not deleted. */
  readonly kept: readonly Omit<ItemError, 'index'>[];
}

/** Deletes the first of the accounts, as many as one transaction may delete. */
function eraseSome(turn: BooksTurn, call: IdentityCall, uids: readonly string[], isForced: boolean): Step {
  const { id: projectId } = call.project;
  const book = turn.book(accountsBook(projectId));
  const kept: Omit<ItemError, 'index'>[] = [];
  let records = 0;
  for (const [done, uid] of uids.entries()) {
    const account = findAccount(book, uid);
    records += 1 + (account === undefined ? 0 : countSessions(book, uid));
    if (records > STEP_RECORDS && done > 0) return { done, kept };
    if (account === undefined) continue;
    // A transaction reads members as they were before it. So only the first of several members is known not to
    // be the last owner.
    if (done > 0 && isMember(turn, projectId, uid)) return { done, kept };
    const message = findReasonToKeep(turn, call, account, isForced);
    if (message === undefined) eraseAccount(turn, projectId, account);
    else kept.push({ localId: uid, message });
  }
  return { done: uids.length, kept };
}

function findReasonToKeep(
  turn: BooksTurn,
  call: IdentityCall,
  { uid, isDisabled }: Account,
  isForced: boolean,
): string | undefined {
  if (!isDisabled && !isForced) return 'NOT_DISABLED : Disable the account before batch deletion.';
  try {
    mustSpareMembers(turn, call, uid);
    mustSpareLastOwner(turn, call.project.id, uid);
    return undefined;
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return error.message;
  }
}
