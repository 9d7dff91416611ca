import { INSTALLATION, type RecordStoreTransaction } from '../../records/store.ts';
import { removeCodesOf } from '../codes/code-store.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { removeAttempts } from '../mfa/attempts.ts';
import type { AuthRequest } from '../request.ts';
import { isMember, removeMember, requireNotLastOwner, requireNotMember } from '../roles/member-store.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { requireCurrentUser, requireRecentSignIn, requireVerifiedToken } from '../sign-in/current-user.ts';
import { countSessions, endSessions } from '../sign-in/session-store.ts';
import type { AccountScope } from '../tenants/scope.ts';
import type { Account } from './account.ts';
import { accountRecords, findAccount, removeAccount } from './account-store.ts';
import { requireAccount, requireAccountId } from './update-by-admin.ts';

/**
 * Deletes an account of a project, its sessions, codes and sign-in attempts, and its membership in the console.
 */
export function eraseAccount(
  transaction: RecordStoreTransaction,
  scope: AccountScope,
  account: Account,
): void {
  const records = transaction.records(accountRecords(scope));
  removeAccount(records, account);
  endSessions(records, account.uid);
  removeAttempts(records, account.uid);
  removeCodesOf(records, account.uid);
  removeMember(transaction.records(INSTALLATION), scope, account.uid);
}

const KIND = 'identitytoolkit#DeleteAccountResponse';

/** Handles `accounts:delete` by an administrator. */
async function deleteByAdmin(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const uid = requireAccountId(call.fields);
  await services.recordStore.change((transaction) => {
    const { id, scope } = call.project;
    const account = requireAccount(transaction.records(accountRecords(scope)), uid);
    requireNotMember(transaction, call, uid);
    requireNotLastOwner(transaction, scope, uid);
    services.throttle.requireAllowedInProject(id, 'deletions');
    eraseAccount(transaction, scope, account);
  });
  recordAudit(services, call, 'account_deleted', uid);
  return { kind: KIND };
}

/**
 * `accounts:delete`: deletes the account to which an ID token belongs, or, for administrators, the account that
 * they name.
 */
export async function deleteAccount(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { caller, project } = call;
  // An administrator names the account with `localId`. An ID token in the same request is ignored.
  if (caller.kind === 'admin') return deleteByAdmin(call, services);
  const token = await requireVerifiedToken(call, services);
  if (!project.settings.isDeletionEnabled) throw new AuthApiError('ADMIN_ONLY_OPERATION');
  await services.recordStore.change((transaction) => {
    const account = requireCurrentUser(transaction.records(accountRecords(project.scope)), token);
    requireRecentSignIn(account, token, transaction.nowMs);
    requireNotLastOwner(transaction, project.scope, account.uid);
    services.throttle.requireAllowedInProject(project.id, 'deletions');
    eraseAccount(transaction, project.scope, account);
  });
  recordAudit(services, call, 'account_deleted', token.uid);
  return { kind: KIND };
}

const MAX_ACCOUNTS = 1_000;
/**
 * Maximum number of accounts and sessions that one transaction removes, so that other requests do not wait long. A
 * transaction always removes at least one account.
 */
const STEP_RECORDS = 200;

interface ItemError {
  readonly index: number;
  readonly localId: string;
  readonly message: string;
}

/** `accounts:batchDelete`: deletes up to 1,000 accounts in steps. Unknown user ids are not an error. */
export async function batchDelete(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const names = call.fields.texts('localIds') ?? [];
  const isForced = call.fields.flag('force') ?? false;
  if (names.length === 0 || names.length > MAX_ACCOUNTS)
    throw new AuthApiError('LOCAL_ID_LIST_EXCEEDS_LIMIT');
  services.throttle.requireAllowedInProject(call.project.id, 'batchDeletions');
  const uids = [...new Set(names)];
  const errors: ItemError[] = [];
  for (let done = 0; done < uids.length; ) {
    const step = await services.recordStore.change((transaction) =>
      eraseSome(transaction, call, uids.slice(done), isForced),
    );
    done += step.done;
    for (const { localId, message } of step.kept)
      errors.push({ index: names.indexOf(localId), localId, message });
  }
  recordAudit(services, call, 'accounts_deleted', null, {
    detail: `${uids.length - errors.length} accounts`,
  });
  return errors.length === 0 ? {} : { errors };
}

interface Step {
  /** The number of user ids that the step has processed. */
  readonly done: number;
  /** The processed accounts that were not deleted, with the reasons. */
  readonly kept: readonly Omit<ItemError, 'index'>[];
}

/** Deletes the first of the accounts, as many as one transaction may delete. */
function eraseSome(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  uids: readonly string[],
  isForced: boolean,
): Step {
  const { scope } = call.project;
  const records = transaction.records(accountRecords(scope));
  const kept: Omit<ItemError, 'index'>[] = [];
  let entries = 0;
  for (const [done, uid] of uids.entries()) {
    const account = findAccount(records, uid);
    entries += 1 + (account === undefined ? 0 : countSessions(records, uid));
    if (entries > STEP_RECORDS && done > 0) return { done, kept };
    if (account === undefined) continue;
    // A transaction reads members as they were before it. So it deletes a member only as its first account: after
    // the deletion of another member, this one could be the last owner.
    if (done > 0 && isMember(transaction, scope, uid)) return { done, kept };
    const message = findReasonToKeep(transaction, call, account, isForced);
    if (message === undefined) eraseAccount(transaction, scope, account);
    else kept.push({ localId: uid, message });
  }
  return { done: uids.length, kept };
}

function findReasonToKeep(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  { uid, isDisabled }: Account,
  isForced: boolean,
): string | undefined {
  if (!isDisabled && !isForced) return 'NOT_DISABLED : Disable the account before batch deletion.';
  try {
    requireNotMember(transaction, call, uid);
    requireNotLastOwner(transaction, call.project.scope, uid);
    return undefined;
  } catch (error) {
    if (!(error instanceof AuthApiError)) throw error;
    return error.message;
  }
}
