import type { BookView } from '../../records/store.ts';
import { type Account, nextValidSince, withPassword } from '../accounts/account.ts';
import { accountsBook, saveAccount } from '../accounts/account-store.ts';
import { factorJson } from '../accounts/user-json.ts';
import { IdentityError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { mustBeAcceptable } from '../passwords/check-password.ts';
import type { IdentityCall } from '../request.ts';
import { type IdentityServices, tellAudit } from '../services.ts';
import { endSessions } from '../sign-in/session-store.ts';
import { mustFindMeant, voidUnprovenRecoveries, withoutUnproven } from './apply.ts';
import { type FoundCode, mustFindCode, removeCode, removeCodesOf } from './code-store.ts';
import { mailPasswordChanged } from './mails.ts';

const KIND = 'identitytoolkit#ResetPasswordResponse';

/** `accounts:resetPassword`: returns the purpose of a code, or sets a password with it. */
export async function resetPassword(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { fields, project } = call;
  const isForbidden = !project.settings.signIn.isEmailEnabled;
  // Changing a password with the old password: no current client sends such a request.
  if (fields.has('oldPassword')) throw new IdentityError('OPERATION_NOT_ALLOWED');
  const text = fields.filled('oobCode');
  const password = fields.filled('newPassword');
  if (isForbidden && (text === undefined || password !== undefined))
    throw new IdentityError('PASSWORD_LOGIN_DISABLED');
  if (text === undefined) throw new IdentityError('MISSING_OOB_CODE');
  if (password !== undefined) return setPassword(call, services, text, password);
  const answer = services.books.read((view) =>
    inquire(view.book(accountsBook(project.id)), text, services.clock.nowMs()),
  );
  if (isForbidden && answer['requestType'] === 'PASSWORD_RESET')
    throw new IdentityError('PASSWORD_LOGIN_DISABLED');
  return answer;
}

/** Returns the purpose of a code. Omits the address for a sign-in code: the client has to know it. */
function inquire(book: BookView, text: string, nowMs: number): JsonObject {
  const { purpose } = mustFindCode(book, text, nowMs);
  const { kind } = purpose;
  if (kind === 'EMAIL_SIGNIN') return { kind: KIND, requestType: kind };
  const { factors } = mustFindMeant(book, purpose);
  const factor =
    kind === 'REVERT_SECOND_FACTOR_ADDITION'
      ? factors.find(({ enrollmentId }) => enrollmentId === purpose.enrollmentId)
      : undefined;
  return {
    kind: KIND,
    requestType: kind,
    email: purpose.email,
    newEmail: 'newEmail' in purpose ? (purpose.newEmail ?? undefined) : undefined,
    mfaInfo: factor === undefined ? undefined : factorJson(factor),
  };
}

async function setPassword(
  call: IdentityCall,
  services: IdentityServices,
  text: string,
  password: string,
): Promise<JsonObject> {
  const { books, clock, passwords } = services;
  const bookName = accountsBook(call.project.id);
  // Hash only after the code is checked, because hashing is expensive.
  const { account: meant } = books.read((view) => mustFindReset(view.book(bookName), text, clock.nowMs()));
  mustBeAcceptable(password, call.project);
  services.throttle.mustAllowNewPassword(call, meant.uid);
  const hash = await passwords.hashEncoded(password);
  const { uid, email } = await books.change((turn) => {
    const book = turn.book(bookName);
    const { code, email, account } = mustFindReset(book, text, turn.nowMs);
    removeCode(book, code);
    // A pending change of the address may have been requested by the attacker whom the reset locks out.
    removeCodesOf(book, account.uid, ({ purpose }) => purpose.kind === 'VERIFY_AND_CHANGE_EMAIL');
    voidUnprovenRecoveries(book, account.uid);
    saveAccount(book, account, afterReset(account, hash, code, turn.nowMs));
    endSessions(book, account.uid);
    mailPasswordChanged(turn, call, services, account);
    return { uid: account.uid, email };
  });
  services.throttle.lift(call, email);
  tellAudit(services, call, 'password_reset', uid);
  return { kind: KIND, email, requestType: 'PASSWORD_RESET' };
}

interface Reset {
  readonly code: FoundCode;
  readonly email: string;
  readonly account: Account;
}

function mustFindReset(book: BookView, text: string, nowMs: number): Reset {
  const code = mustFindCode(book, text, nowMs);
  const { purpose } = code;
  if (purpose.kind !== 'PASSWORD_RESET') throw new IdentityError('INVALID_OOB_CODE');
  return { code, email: purpose.email, account: mustFindMeant(book, purpose) };
}

/**
 * Keeps the second factors if the address was already verified: access to the mailbox does not replace a second
 * factor.
 */
function afterReset(
  account: Account,
  password: JsonObject,
  { wasMailed }: FoundCode,
  nowMs: number,
): Account {
  return {
    ...withPassword(withoutUnproven(account), password, nowMs),
    isPasswordProven: wasMailed,
    isEmailVerified: true,
    validSinceSec: nextValidSince(account, nowMs),
  };
}
