import type { BooksTurn, BookTurn, BookView } from '../../records/store.ts';
import {
  type Account,
  emptyAccount,
  isAnonymous,
  nextValidSince,
  nextValidSinceOf,
  withEmail,
} from '../accounts/account.ts';
import { accountsBook, findAccountByEmail } from '../accounts/account-store.ts';
import { newUid, parseEmail } from '../accounts/field-parsers.ts';
import { voidUnprovenRecoveries, withoutUnproven } from '../codes/apply.ts';
import { type FoundCode, mustFindCode, removeCode, saveCode } from '../codes/code-store.ts';
import { mailOldAddress } from '../codes/issue.ts';
import { IdentityError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../request.ts';
import { type IdentityServices, tellAudit } from '../services.ts';
import type { VerifiedToken } from '../tokens/id-token.ts';
import { type FirstProof, signIn } from './complete-sign-in.ts';
import { mustBeRecent, mustFindHolder, mustVerifyToken } from './current-user.ts';
import { factsOf } from './session.ts';
import { endSessions } from './session-store.ts';

const KIND = 'identitytoolkit#EmailLinkSigninResponse';

/** How often a code may be sent with an address other than its own. */
const MAX_MISMATCHES = 5;

/**
 * `accounts:signInWithEmailLink`: signs in with a code from a mail, or links the address to the signed-in
 * account.
 */
export async function signInWithEmailLink(
  call: IdentityCall,
  services: IdentityServices,
): Promise<JsonObject> {
  const { fields, project } = call;
  if (!project.settings.signIn.isEmailLinkEnabled) throw new IdentityError('OPERATION_NOT_ALLOWED');
  const token = fields.has('idToken') ? await mustVerifyToken(call, services) : undefined;
  const email = parseEmail(fields.mustHave('email', 'MISSING_EMAIL'));
  const text = fields.mustHave('oobCode', 'MISSING_OOB_CODE');
  await mustMatch(call, services, text, email);
  if (token === undefined) mustAllowSignUp(call, services, email);
  const uid = newUid(services.randomBytes);
  const answer = await signIn(
    call,
    services,
    (book, nowMs, turn) => {
      const code = mustFindSignIn(book, text, nowMs);
      if (code.purpose.email !== email) throw wrongAddress();
      removeCode(book, code);
      return token === undefined
        ? proveAddress(book, call, uid, email, nowMs)
        : linkAddress(turn, book, call, services, token, email);
    },
    (account, isNew) => ({ kind: KIND, localId: account.uid, email, isNewUser: isNew }),
  );
  services.throttle.lift(call, email);
  tellAudit(services, call, 'code_used', String(answer['localId']), { detail: 'EMAIL_SIGNIN' });
  return answer;
}

/**
 * Throws if the code is invalid or belongs to another address. A wrong address does not consume the code, but
 * is counted; the code is removed after `MAX_MISMATCHES`.
 */
async function mustMatch(
  call: IdentityCall,
  { books, clock }: IdentityServices,
  text: string,
  email: string,
): Promise<void> {
  const bookName = accountsBook(call.project.id);
  const isMatch = books.read(
    (view) => mustFindSignIn(view.book(bookName), text, clock.nowMs()).purpose.email === email,
  );
  if (isMatch) return;
  await books.change((turn) => {
    const book = turn.book(bookName);
    const code = mustFindSignIn(book, text, turn.nowMs);
    const mismatches = code.mismatches + 1;
    if (mismatches < MAX_MISMATCHES) saveCode(book, { ...code, mismatches });
    else removeCode(book, code);
  });
  throw wrongAddress();
}

/** Applies the sign-up limit if the sign-in will create an account. */
function mustAllowSignUp(call: IdentityCall, { books, throttle }: IdentityServices, email: string): void {
  const owner = books.read((view) => findAccountByEmail(view.book(accountsBook(call.project.id)), email));
  if (owner === undefined && call.project.settings.isSignUpEnabled) throttle.mustAllowSignUp(call);
}

function mustFindSignIn(book: BookView, text: string, nowMs: number): FoundCode {
  const code = mustFindCode(book, text, nowMs);
  if (code.purpose.kind !== 'EMAIL_SIGNIN') throw new IdentityError('INVALID_OOB_CODE');
  return code;
}

function wrongAddress(): IdentityError {
  return new IdentityError('INVALID_EMAIL', 'The email provided does not match the sign-in email address.');
}

/** Signs in the account with the address, and creates an account if none has it. */
function proveAddress(
  book: BookTurn,
  { project }: IdentityCall,
  newAccountUid: string,
  email: string,
  nowMs: number,
): FirstProof {
  const before = findAccountByEmail(book, email);
  if (before === undefined && !project.settings.isSignUpEnabled)
    throw new IdentityError('ADMIN_ONLY_OPERATION');
  if (before !== undefined) voidUnprovenRecoveries(book, before.uid);
  const proven = before === undefined ? emptyAccount(newAccountUid, nowMs) : takeOver(book, before, nowMs);
  const account = { ...proven, email, isEmailVerified: true, hasEmailLink: true };
  return { before, account, facts: factsOf('password'), asksSecondFactor: true };
}

/**
 * Returns the account of an address that is verified for the first time. Ends all sessions and removes unproven
 * credentials, so that no other person keeps access.
 */
function takeOver(book: BookTurn, account: Account, nowMs: number): Account {
  if (account.isEmailVerified) return account;
  endSessions(book, account.uid);
  return { ...withoutUnproven(account), validSinceSec: nextValidSince(account, nowMs) };
}

/** Adds the address to the signed-in account. */
function linkAddress(
  turn: BooksTurn,
  book: BookTurn,
  call: IdentityCall,
  services: IdentityServices,
  token: VerifiedToken,
  email: string,
): FirstProof {
  const before = mustFindHolder(book, token);
  const owner = findAccountByEmail(book, email);
  if (owner !== undefined && owner.uid !== before.uid) throw new IdentityError('EMAIL_EXISTS');
  voidUnprovenRecoveries(book, before.uid);
  const linked = { ...withEmail(before, email, true), hasEmailLink: true };
  const facts = { ...factsOf('password'), secondFactor: token.secondFactor ?? null };
  // Otherwise sessions from before the address was proven would gain access to the account with the proven
  // address.
  const hadAddress = before.email !== null && before.email !== email;
  if (!hadAddress && !isAnonymous(before)) return { before, account: linked, facts, asksSecondFactor: false };
  mustBeRecent(before, token, turn.nowMs);
  const account = { ...linked, validSinceSec: nextValidSinceOf(before, token, turn.nowMs) };
  endSessions(book, before.uid);
  mailOldAddress(turn, call, services, before, account);
  return { before, account, facts, asksSecondFactor: false };
}
