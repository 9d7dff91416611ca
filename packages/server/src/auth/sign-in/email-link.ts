import type { RecordStoreTransaction, RecordTransaction, RecordView } from '../../records/store.ts';
import {
  type Account,
  emptyAccount,
  isAnonymous,
  nextValidSince,
  nextValidSinceOf,
  withEmail,
} from '../accounts/account.ts';
import { accountRecords, findAccountByEmail } from '../accounts/account-store.ts';
import { newUid, requireEmail } from '../accounts/field-parsers.ts';
import { voidUnprovenRecoveries, withoutUnproven } from '../codes/apply.ts';
import { type FoundCode, readCode, removeCode, requireCode, saveCode } from '../codes/code-store.ts';
import { mailOldAddress } from '../codes/issue.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import type { VerifiedToken } from '../tokens/id-token.ts';
import { type PrimaryCredential, signIn } from './complete-sign-in.ts';
import { requireCurrentUser, requireRecentSignIn, requireVerifiedToken } from './current-user.ts';
import { claimsForProvider } from './session.ts';
import { endSessions } from './session-store.ts';

const KIND = 'identitytoolkit#EmailLinkSigninResponse';

/** Number of wrong addresses after which a code is removed. */
const MAX_MISMATCHES = 5;

/**
 * `accounts:signInWithEmailLink`: signs in with a code from a mail, or links the address to the signed-in
 * account.
 */
export async function signInWithEmailLink(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, project } = call;
  if (!project.settings.signIn.isEmailLinkEnabled) throw new AuthApiError('OPERATION_NOT_ALLOWED');
  const token = fields.has('idToken') ? await requireVerifiedToken(call, services) : undefined;
  const email = requireEmail(fields);
  const text = readCode(fields);
  await requireMatch(call, services, text, email);
  if (token === undefined) requireSignUpAllowed(call, services, email);
  const uid = newUid(services.randomBytes);
  const answer = await signIn(
    call,
    services,
    (records, nowMs, transaction) => {
      const code = requireSignInCode(records, text, nowMs);
      if (code.purpose.email !== email) throw wrongAddress();
      removeCode(records, code);
      return token === undefined
        ? verifyAddress(records, call, uid, email, nowMs)
        : linkAddress(transaction, records, call, services, token, email);
    },
    (account, isNew) => ({ kind: KIND, localId: account.uid, email, isNewUser: isNew }),
  );
  services.throttle.lift(call, email);
  recordAudit(services, call, 'code_used', String(answer['localId']), { detail: 'EMAIL_SIGNIN' });
  return answer;
}

/**
 * Throws if the code is invalid or belongs to another address. Counts the wrong address, and
 * removes the code after `MAX_MISMATCHES`.
 */
async function requireMatch(
  call: AuthRequest,
  { recordStore, clock }: AuthServices,
  text: string,
  email: string,
): Promise<void> {
  const recordsName = accountRecords(call.project.scope);
  const isMatch = recordStore.read(
    (view) => requireSignInCode(view.records(recordsName), text, clock.nowMs()).purpose.email === email,
  );
  if (isMatch) return;
  await recordStore.change((transaction) => {
    const records = transaction.records(recordsName);
    const code = requireSignInCode(records, text, transaction.nowMs);
    const mismatches = code.mismatches + 1;
    if (mismatches < MAX_MISMATCHES) saveCode(records, { ...code, mismatches });
    else removeCode(records, code);
  });
  throw wrongAddress();
}

/** Applies the sign-up limit if the sign-in will create an account. */
function requireSignUpAllowed(
  call: AuthRequest,
  { recordStore, throttle }: AuthServices,
  email: string,
): void {
  const owner = recordStore.read((view) =>
    findAccountByEmail(view.records(accountRecords(call.project.scope)), email),
  );
  if (owner === undefined && call.project.settings.isSignUpEnabled) throttle.requireSignUpAllowed(call);
}

function requireSignInCode(records: RecordView, text: string, nowMs: number): FoundCode {
  const code = requireCode(records, text, nowMs);
  if (code.purpose.kind !== 'EMAIL_SIGNIN') throw new AuthApiError('INVALID_OOB_CODE');
  return code;
}

function wrongAddress(): AuthApiError {
  return new AuthApiError('INVALID_EMAIL', 'The email provided does not match the sign-in email address.');
}

/**
 * Returns the credential of the account with the address, or of a new account. Throws `ADMIN_ONLY_OPERATION` if users
 * cannot create accounts.
 */
function verifyAddress(
  records: RecordTransaction,
  { project }: AuthRequest,
  newAccountUid: string,
  email: string,
  nowMs: number,
): PrimaryCredential {
  const before = findAccountByEmail(records, email);
  if (before === undefined && !project.settings.isSignUpEnabled)
    throw new AuthApiError('ADMIN_ONLY_OPERATION');
  if (before !== undefined) voidUnprovenRecoveries(records, before.uid);
  const proven = before === undefined ? emptyAccount(newAccountUid, nowMs) : takeOver(records, before, nowMs);
  const account = { ...proven, email, isEmailVerified: true, hasEmailLink: true };
  return { before, account, signInClaims: claimsForProvider('password'), needsSecondFactor: true };
}

/**
 * Returns the account whose address the code verifies. If the address was not verified before, ends all sessions and
 * removes unproven credentials, so that no other person keeps access.
 */
function takeOver(records: RecordTransaction, account: Account, nowMs: number): Account {
  if (account.isEmailVerified) return account;
  endSessions(records, account.uid);
  return { ...withoutUnproven(account), validSinceSec: nextValidSince(account, nowMs) };
}

/** Returns the credential of the signed-in account with the address added. Throws `EMAIL_EXISTS` if it is taken. */
function linkAddress(
  transaction: RecordStoreTransaction,
  records: RecordTransaction,
  call: AuthRequest,
  services: AuthServices,
  token: VerifiedToken,
  email: string,
): PrimaryCredential {
  const before = requireCurrentUser(records, token);
  const owner = findAccountByEmail(records, email);
  if (owner !== undefined && owner.uid !== before.uid) throw new AuthApiError('EMAIL_EXISTS');
  voidUnprovenRecoveries(records, before.uid);
  const linked = { ...withEmail(before, email, true), hasEmailLink: true };
  const signInClaims = { ...claimsForProvider('password'), secondFactor: token.secondFactor ?? null };
  // Sessions from before the address was proven must not gain access to the account with the proven address.
  const hadAddress = before.email !== null && before.email !== email;
  if (!hadAddress && !isAnonymous(before))
    return { before, account: linked, signInClaims, needsSecondFactor: false };
  requireRecentSignIn(before, token, transaction.nowMs);
  const account = { ...linked, validSinceSec: nextValidSinceOf(before, token, transaction.nowMs) };
  endSessions(records, before.uid);
  mailOldAddress(transaction, call, services, before, account);
  return { before, account, signInClaims, needsSecondFactor: false };
}
