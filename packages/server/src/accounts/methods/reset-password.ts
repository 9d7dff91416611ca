import type { BookView } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { accountsBook, saveAccount } from '../account-book.ts';
import { type FoundCode, mustFindCode, removeCode, removeCodesOf } from '../codes/code-book.ts';
import { mailPasswordChanged } from '../codes/mail-password-changed.ts';
import { mustFindMeant } from '../codes/must-find-meant.ts';
import { voidUnprovenRecoveries } from '../codes/void-unproven-recoveries.ts';
import { withoutUnproven } from '../codes/without-unproven.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { nextValidSince } from '../next-valid-since.ts';
import { mustBeAcceptable } from '../password-rules.ts';
import { endSessions } from '../session-book.ts';
import { tellAudit } from '../tell-audit.ts';
import { factorJson } from '../user-json.ts';
import { withPassword } from '../with-password.ts';

const KIND = 'identitytoolkit#ResetPasswordResponse';

/** `accounts:resetPassword`: tells what a code is for, or sets a password with it. */
export async function resetPassword(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { fields, project } = call;
  const isForbidden = !project.settings.signIn.isEmailEnabled;
  // Codes to change a password by the one before: no client of today asks for that.
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

/** What a code is for. That of a sign-in does not tell the address: whoever signs in has to know it. */
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
  // Hashing is worth its cost only for who has a code.
  const { account: meant } = books.read((view) => mustFindReset(view.book(bookName), text, clock.nowMs()));
  mustBeAcceptable(password, call.project);
  services.throttle.mustAllowNewPassword(call, meant.uid);
  const hash = await passwords.hashEncoded(password);
  const { uid, email } = await books.change((turn) => {
    const book = turn.book(bookName);
    const { code, email, account } = mustFindReset(book, text, turn.nowMs);
    removeCode(book, code);
    // A change of address that waits may have been asked for by whoever the reset is to keep out.
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

/** Second factors of who had proved the address stay: a mailbox is not one. */
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
