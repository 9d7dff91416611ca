import { type Account, emptyAccount } from '../account.ts';
import { accountsBook, findAccount, saveAccount } from '../account-book.ts';
import { parseEmail } from '../email.ts';
import type { Fields, JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mustBeAcceptable } from '../password-rules.ts';
import { parsePhoneNumber } from '../phone-number.ts';
import { parseDisplayName, parsePhotoUrl } from '../profile.ts';
import { newUid } from '../random-id.ts';
import { mustHaveVerifiedEmail } from '../second-factor/must-have-verified-email.ts';
import { tellAudit } from '../tell-audit.ts';
import { parseFactors } from './parse-factors.ts';
import { parseNewUid } from './parse-new-uid.ts';

const KIND = 'identitytoolkit#SignupNewUserResponse';

/** `accounts:signUp` by an administrator: an account with whatever the request says, and no tokens. */
export async function createAccount(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { fields, project } = call;
  const { books, passwords, randomBytes } = services;
  if (fields.has('idToken')) throw new IdentityError('UNEXPECTED_PARAMETER', 'User ID');
  const given = fields.filled('localId');
  const uid = given === undefined ? newUid(randomBytes) : parseNewUid(given);
  const password = fields.filled('password');
  if (password !== undefined) mustBeAcceptable(password, project, fields.filled('email') ?? null);
  const asked = parseAccount(fields, () => newUid(randomBytes), services.clock.nowMs());
  const hash = password === undefined ? null : await passwords.hashEncoded(password);
  const account = await books.change((turn): Account => {
    const book = turn.book(accountsBook(project.id));
    if (findAccount(book, uid) !== undefined) throw new IdentityError('DUPLICATE_LOCAL_ID');
    const made = {
      ...emptyAccount(uid, turn.nowMs),
      ...asked,
      password: hash,
      passwordUpdatedAtMs: hash === null ? null : turn.nowMs,
    };
    if (made.factors.length > 0) mustHaveVerifiedEmail(made);
    saveAccount(book, undefined, made);
    return made;
  });
  tellAudit(services, call, 'account_created', uid);
  const { email, displayName } = account;
  return { kind: KIND, localId: uid, email: email ?? undefined, displayName: displayName ?? undefined };
}

function parseAccount(fields: Fields, newId: () => string, nowMs: number): Partial<Account> {
  const email = fields.filled('email');
  const phoneNumber = fields.filled('phoneNumber');
  return {
    email: email === undefined ? null : parseEmail(email),
    isEmailVerified: fields.flag('emailVerified') ?? false,
    displayName: parseDisplayName(fields.text('displayName') ?? ''),
    photoUrl: parsePhotoUrl(fields.text('photoUrl') ?? ''),
    phoneNumber: phoneNumber === undefined ? null : parsePhoneNumber(phoneNumber),
    isDisabled: fields.flag('disabled') ?? false,
    factors: parseFactors(fields.objects('mfaInfo') ?? [], { present: [], newId, nowMs }),
  };
}
