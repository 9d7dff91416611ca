import type { BooksTurn } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { accountsBook, findAccount } from '../account-book.ts';
import { eraseAccount } from '../erase-account.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { isMember } from '../members/member-book.ts';
import { mustSpareLastOwner, mustSpareMembers } from '../members/must-spare-members.ts';
import { countSessions } from '../session-book.ts';
import { tellAudit } from '../tell-audit.ts';

const MAX_ACCOUNTS = 1_000;
/** Accounts and sessions that are removed in one turn, so that nobody else waits for long; one account always fits. */
const STEP_RECORDS = 200;

interface ItemError {
  readonly index: number;
  readonly localId: string;
  readonly message: string;
}

/** `accounts:batchDelete`: deletes up to 1,000 accounts in steps; names that no account has are no error. */
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
  /** How many of the names it has dealt with. */
  readonly done: number;
  /** Those among them that remain. */
  readonly kept: readonly Omit<ItemError, 'index'>[];
}

/** Deletes the first of some accounts, as many as one turn is to delete. */
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
    // A turn shows members as they were before it: only the first of several is known not to be the last owner.
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
