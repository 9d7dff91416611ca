import { accountsBook, findAccount } from '../account-book.ts';
import { eraseAccount } from '../erase-account.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { tellAudit } from '../tell-audit.ts';

const MAX_ACCOUNTS = 1_000;
/** Accounts in one turn, so that nobody else waits for long. */
const STEP_ACCOUNTS = 50;

interface ItemError {
  readonly index: number;
  readonly localId: string;
  readonly message: string;
}

/** `accounts:batchDelete`: deletes up to 1,000 accounts in steps; names that no account has are no error. */
export async function batchDelete(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const uids = call.fields.texts('localIds') ?? [];
  const isForced = call.fields.flag('force') ?? false;
  if (uids.length === 0 || uids.length > MAX_ACCOUNTS) throw new IdentityError('LOCAL_ID_LIST_EXCEEDS_LIMIT');
  const errors: ItemError[] = [];
  for (let start = 0; start < uids.length; start += STEP_ACCOUNTS) {
    const step = new Set(uids.slice(start, start + STEP_ACCOUNTS));
    const kept = await services.books.change((turn) => {
      const book = turn.book(accountsBook(call.project.id));
      return step
        .values()
        .filter((uid) => {
          const account = findAccount(book, uid);
          if (account === undefined) return false;
          if (!account.isDisabled && !isForced) return true;
          eraseAccount(book, account);
          return false;
        })
        .toArray();
    });
    for (const localId of kept)
      errors.push({
        index: uids.indexOf(localId),
        localId,
        message: 'NOT_DISABLED : Disable the account before batch deletion.',
      });
  }
  tellAudit(services, call, 'accounts_deleted', null, { detail: `${uids.length - errors.length} accounts` });
  return errors.length === 0 ? {} : { errors };
}
