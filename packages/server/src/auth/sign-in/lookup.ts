import type { Account } from '../accounts/account.ts';
import {
  accountRecords,
  findAccount,
  findAccountByEmail,
  findAccountByIdentity,
  findAccountByPhone,
} from '../accounts/account-store.ts';
import { userJson } from '../accounts/user-json.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { type AuthRequest, PrintedJson } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { memoizeByObject } from '../stored-record.ts';
import type { AccountScope } from '../tenants/scope.ts';
import { readCurrentUser } from './current-user.ts';

const KIND = 'identitytoolkit#GetAccountInfoResponse';
const MAX_IDENTIFIERS = 100;

/**
 * `accounts:lookup`: returns the account to which an ID token belongs, or, for administrators, the accounts
 * that they name.
 */
export async function lookup(call: AuthRequest, services: AuthServices): Promise<JsonObject | PrintedJson> {
  if (call.caller.kind === 'admin' && !call.fields.has('idToken')) return lookupByAdmin(call, services);
  services.throttle.requireRequestAllowed(call);
  const { account } = await readCurrentUser(call, services);
  return ownAccount(account, call.project.scope);
}

/**
 * Returns the response to a user's lookup of their own account. Cached because apps look up an account repeatedly.
 * Omits `initialEmail`, which is for administrators.
 */
const ownAccount = memoizeByObject(
  (account: Account, scope: AccountScope) =>
    new PrintedJson({ kind: KIND, users: [{ ...userJson(account, scope), initialEmail: undefined }] }),
);

function lookupByAdmin({ fields, project }: AuthRequest, { recordStore }: AuthServices): JsonObject {
  const uids = fields.texts('localId') ?? [];
  const emails = fields.texts('email') ?? [];
  const phones = fields.texts('phoneNumber') ?? [];
  const identities = fields.objects('federatedUserId') ?? [];
  const initialEmails = fields.texts('initialEmail') ?? [];
  const count = uids.length + emails.length + phones.length + identities.length + initialEmails.length;
  if (count > MAX_IDENTIFIERS)
    throw new AuthApiError(
      'INVALID_ARGUMENT',
      `At most ${MAX_IDENTIFIERS} accounts can be looked up in one request.`,
    );
  const found = recordStore.read((view) => {
    const records = view.records(accountRecords(project.scope));
    return [
      ...uids.map((uid) => findAccount(records, uid)),
      ...emails.map((email) => findAccountByEmail(records, email.toLowerCase())),
      ...phones.map((phone) => findAccountByPhone(records, phone)),
      ...identities.map((identity) =>
        findAccountByIdentity(records, identity.text('providerId') ?? '', identity.text('rawId') ?? ''),
      ),
    ];
  });
  const accounts = new Map<string, Account>();
  for (const account of found) if (account !== undefined) accounts.set(account.uid, account);
  const users = [...accounts.values()].map((account) => userJson(account, project.scope));
  return { kind: KIND, ...(users.length === 0 ? {} : { users }) };
}
