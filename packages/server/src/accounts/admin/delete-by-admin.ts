import { accountsBook } from '../account-book.ts';
import { eraseAccount } from '../erase-account.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mustSpareLastOwner, mustSpareMembers } from '../members/must-spare-members.ts';
import { tellAudit } from '../tell-audit.ts';
import { mustFindAccount, mustNameAccount } from './must-find-account.ts';

const KIND = 'identitytoolkit#DeleteAccountResponse';

/** `accounts:delete` by an administrator. */
export async function deleteByAdmin(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
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
