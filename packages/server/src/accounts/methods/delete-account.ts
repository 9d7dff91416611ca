import { accountsBook } from '../account-book.ts';
import { deleteByAdmin } from '../admin/delete-by-admin.ts';
import { mustBeRecent, mustFindHolder, mustVerifyToken } from '../caller-account.ts';
import { eraseAccount } from '../erase-account.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mustSpareLastOwner } from '../members/must-spare-members.ts';
import { tellAudit } from '../tell-audit.ts';

const KIND = 'identitytoolkit#DeleteAccountResponse';

/** `accounts:delete`: the account of the holder of an ID token; for administrators, the one they name. */
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
