import type { BooksTurn, BookTurn, BookView } from '../../books/books.ts';
import type { VerifiedToken } from '../../tokens/verified-token.ts';
import { type Account, emptyAccount, isAnonymous } from '../account.ts';
import { accountsBook, findAccountByEmail } from '../account-book.ts';
import { mustBeRecent, mustFindHolder, mustVerifyToken } from '../caller-account.ts';
import { type FoundCode, mustFindCode, removeCode, saveCode } from '../codes/code-book.ts';
import { mailOldAddress } from '../codes/mail-old-address.ts';
import { voidUnprovenRecoveries } from '../codes/void-unproven-recoveries.ts';
import { withoutUnproven } from '../codes/without-unproven.ts';
import { parseEmail } from '../email.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { nextValidSince, nextValidSinceOf } from '../next-valid-since.ts';
import { newUid } from '../random-id.ts';
import { factsOf } from '../session.ts';
import { endSessions } from '../session-book.ts';
import { type FirstProof, signIn } from '../sign-in/sign-in.ts';
import { tellAudit } from '../tell-audit.ts';
import { withEmail } from '../with-email.ts';

const KIND = 'identitytoolkit#EmailLinkSigninResponse';

/** How often a code may come with another address than its own. */
const MAX_MISMATCHES = 5;

/** `accounts:signInWithEmailLink`: by the code of a mail, to which an account may also be linked. */
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

/** Refuses a code that does not count, and another address than that of the code, which is not used up but counted. */
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

/** Counts an account that is about to be made. */
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

/** Signs in whoever has the address, and makes an account for an address that has none. */
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

/** The account of an address that is proved for the first time: nobody else who may be in it remains. */
function takeOver(book: BookTurn, account: Account, nowMs: number): Account {
  if (account.isEmailVerified) return account;
  endSessions(book, account.uid);
  return { ...withoutUnproven(account), validSinceSec: nextValidSince(account, nowMs) };
}

/** Adds the address to the account of whoever is signed in. */
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
  // Else sessions for which nobody proved anything would from now on be those of somebody.
  const hadAddress = before.email !== null && before.email !== email;
  if (!hadAddress && !isAnonymous(before)) return { before, account: linked, facts, asksSecondFactor: false };
  mustBeRecent(before, token, turn.nowMs);
  const account = { ...linked, validSinceSec: nextValidSinceOf(before, token, turn.nowMs) };
  endSessions(book, before.uid);
  mailOldAddress(turn, call, services, before, account);
  return { before, account, facts, asksSecondFactor: false };
}
