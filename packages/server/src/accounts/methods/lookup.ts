import type { Account } from '../account.ts';
import {
  accountsBook,
  findAccount,
  findAccountByEmail,
  findAccountByIdentity,
  findAccountByPhone,
} from '../account-book.ts';
import { readHolder } from '../caller-account.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { onceForEach } from '../once-for-each.ts';
import { PrintedJson } from '../printed-json.ts';
import { userJson } from '../user-json.ts';

const KIND = 'identitytoolkit#GetAccountInfoResponse';
const MAX_IDENTIFIERS = 100;

/** `accounts:lookup`: the holder of an ID token; for administrators, whoever they name. */
export async function lookup(
  call: IdentityCall,
  services: IdentityServices,
): Promise<JsonObject | PrintedJson> {
  if (call.caller.kind === 'admin' && !call.fields.has('idToken')) return lookupByAdmin(call, services);
  services.throttle.mustAllowRequest(call);
  const { account } = await readHolder(call, services);
  return ownAccount(account);
}

/** Apps look an account up again and again. The address before the present one is for administrators. */
const ownAccount = onceForEach(
  (account: Account) =>
    new PrintedJson({ kind: KIND, users: [{ ...userJson(account), initialEmail: undefined }] }),
);

function lookupByAdmin({ fields, project }: IdentityCall, { books }: IdentityServices): JsonObject {
  const uids = fields.texts('localId') ?? [];
  const emails = fields.texts('email') ?? [];
  const phones = fields.texts('phoneNumber') ?? [];
  const identities = fields.objects('federatedUserId') ?? [];
  const initialEmails = fields.texts('initialEmail') ?? [];
  const count = uids.length + emails.length + phones.length + identities.length + initialEmails.length;
  if (count > MAX_IDENTIFIERS)
    throw new IdentityError('INVALID_ARGUMENT', `At most ${MAX_IDENTIFIERS} accounts are looked up at once.`);
  const found = books.read((view) => {
    const book = view.book(accountsBook(project.id));
    return [
      ...uids.map((uid) => findAccount(book, uid)),
      ...emails.map((email) => findAccountByEmail(book, email.toLowerCase())),
      ...phones.map((phone) => findAccountByPhone(book, phone)),
      ...identities.map((identity) =>
        findAccountByIdentity(book, identity.text('providerId') ?? '', identity.text('rawId') ?? ''),
      ),
    ];
  });
  const accounts = new Map<string, Account>();
  for (const account of found) if (account !== undefined) accounts.set(account.uid, account);
  return { kind: KIND, ...(accounts.size === 0 ? {} : { users: [...accounts.values()].map(userJson) }) };
}
