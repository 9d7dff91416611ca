import type { RecordTransaction, RecordView } from '../../records/store.ts';
import { type Account, nextValidSince, withEmail } from '../accounts/account.ts';
import { accountRecords, findAccount, findAccountByEmail, saveAccount } from '../accounts/account-store.ts';
import { updatedAccountJson } from '../accounts/user-json.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { withFactors, withoutFactor } from '../mfa/factor.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { endSessions } from '../sign-in/session-store.ts';
import { requireAddressPermitted } from '../sign-up-rules/apply-sign-up-rules.ts';
import type { CodeKind, CodePurpose } from './code.ts';
import { type FoundCode, readCode, removeCode, removeCodesOf, requireCode } from './code-store.ts';
import { mailOldAddress } from './issue.ts';
import { mailNotice } from './mails.ts';

/** The purposes of codes that belong to an account. */
export type AccountPurpose = Exclude<CodePurpose, { readonly kind: 'EMAIL_SIGNIN' }>;

/**
 * Returns the account for which a code was issued. Throws `INVALID_OOB_CODE` if the account has changed so that
 * the code no longer applies, and `USER_DISABLED` if the account is disabled.
 */
export function requireCodeAccount(records: RecordView, purpose: AccountPurpose): Account {
  const account = findAccount(records, purpose.uid);
  if (account === undefined || !matchesPurpose(account, purpose)) throw new AuthApiError('INVALID_OOB_CODE');
  if (account.isDisabled) throw new AuthApiError('USER_DISABLED');
  return account;
}

function matchesPurpose(account: Account, purpose: AccountPurpose): boolean {
  switch (purpose.kind) {
    case 'PASSWORD_RESET':
    case 'VERIFY_EMAIL':
      return account.email === purpose.email;
    case 'VERIFY_AND_CHANGE_EMAIL':
      return account.email === purpose.email && account.validSinceSec === purpose.validSinceSec;
    case 'RECOVER_EMAIL':
      return true;
    case 'REVERT_SECOND_FACTOR_ADDITION':
      return account.factors.some(({ enrollmentId }) => enrollmentId === purpose.enrollmentId);
    default:
      return purpose satisfies never;
  }
}

/** A code that needs no further input, such as a new password. */
export interface PlainCode extends FoundCode {
  readonly purpose: Exclude<AccountPurpose, { readonly kind: 'PASSWORD_RESET' }>;
}

/**
 * Returns the account after a code from a mail was used. Every code except the verification of an address
 * revokes all earlier tokens.
 */
function afterCode(account: Account, { purpose, sinceMs }: PlainCode, nowMs: number): Account {
  const validSinceSec = nextValidSince(account, nowMs);
  switch (purpose.kind) {
    case 'VERIFY_EMAIL':
      return { ...account, isEmailVerified: true };
    case 'VERIFY_AND_CHANGE_EMAIL':
      return { ...withEmail(account, purpose.newEmail, true), validSinceSec };
    case 'RECOVER_EMAIL':
      return {
        ...withoutFactorsSince(account, sinceMs),
        // The person who took the address away may know the password or have set it, possibly before the
        // address changed.
        password: null,
        passwordUpdatedAtMs: null,
        email: purpose.email,
        isEmailVerified: true,
        validSinceSec,
      };
    case 'REVERT_SECOND_FACTOR_ADDITION':
      return { ...withoutFactor(account, purpose.enrollmentId), validSinceSec };
    default:
      return purpose satisfies never;
  }
}

/**
 * Returns the account without the second factors and passkeys that were added since the address was taken away: the
 * factors would lock the owner out, and the passkeys sign in. Always removes the recovery codes, which the person who
 * took the address away may have created or seen.
 */
function withoutFactorsSince(account: Account, sinceMs: number): Account {
  const earlier = account.factors.filter(({ enrolledAtMs }) => enrolledAtMs < sinceMs);
  const passkeys = account.passkeys.filter(({ createdAtMs }) => createdAtMs < sinceMs);
  return { ...withFactors(account, earlier), passkeys, recoveryCodes: [] };
}

/**
 * Voids the codes that would restore an address that was never verified. Called when the owner verifies the
 * current address of the account. Otherwise a person who signs up with an address, and then changes it to another
 * person's address, would keep a way back into the account.
 */
export function voidUnprovenRecoveries(records: RecordTransaction, uid: string): void {
  removeCodesOf(records, uid, ({ purpose }) => purpose.kind === 'RECOVER_EMAIL' && !purpose.wasVerified);
}

const VERIFIES_ADDRESS: ReadonlySet<CodeKind> = new Set(['VERIFY_EMAIL', 'VERIFY_AND_CHANGE_EMAIL']);

interface AppliedCode {
  readonly kind: PlainCode['purpose']['kind'];
  readonly account: Account;
}

/** Returns whether another account has the address that a code would give to its account. */
function isAddressTaken(records: RecordView, { purpose }: PlainCode): boolean {
  if (purpose.kind !== 'VERIFY_AND_CHANGE_EMAIL') return false;
  const owner = findAccountByEmail(records, purpose.newEmail);
  return owner !== undefined && owner.uid !== purpose.uid;
}

/**
 * `accounts:update` with a code from a mail: applies the code and uses it up, or does neither. A code for a new
 * address that another account has is used up without effect.
 */
export async function applyCode(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const text = readCode(call.fields);
  const applied = await services.recordStore.change((transaction): AppliedCode | undefined => {
    const records = transaction.records(accountRecords(call.project.scope));
    const code = requirePlain(requireCode(records, text, transaction.nowMs));
    const before = requireCodeAccount(records, code.purpose);
    if (code.purpose.kind === 'VERIFY_AND_CHANGE_EMAIL')
      requireAddressPermitted(call.project, code.purpose.newEmail);
    const after = afterCode(before, code, transaction.nowMs);
    removeCode(records, code);
    if (isAddressTaken(records, code)) return undefined;
    saveAccount(records, before, after);
    if (code.purpose.kind === 'REVERT_SECOND_FACTOR_ADDITION')
      mailNotice(transaction, call, services, after, 'secondFactorRemoved');
    if (code.purpose.kind !== 'VERIFY_EMAIL') endSessions(records, after.uid);
    if (VERIFIES_ADDRESS.has(code.purpose.kind)) voidUnprovenRecoveries(records, after.uid);
    if (code.purpose.kind === 'VERIFY_AND_CHANGE_EMAIL')
      mailOldAddress(transaction, call, services, before, after);
    // The person who took the address away may have received later codes, and could use them to take it away again.
    if (code.purpose.kind === 'RECOVER_EMAIL')
      removeCodesOf(records, after.uid, ({ sinceMs }) => sinceMs >= code.sinceMs);
    return { kind: code.purpose.kind, account: after };
  });
  if (applied === undefined) throw new AuthApiError('EMAIL_EXISTS');
  const { kind, account } = applied;
  recordAudit(services, call, 'code_used', account.uid, { detail: kind });
  const newEmail = kind === 'VERIFY_AND_CHANGE_EMAIL' ? { newEmail: account.email } : {};
  return { ...updatedAccountJson(account), ...newEmail };
}

/** Returns a code that needs no further input. Throws `INVALID_OOB_CODE` for codes that reset a password or sign in. */
function requirePlain(code: FoundCode): PlainCode {
  const { purpose } = code;
  if (purpose.kind === 'PASSWORD_RESET' || purpose.kind === 'EMAIL_SIGNIN')
    throw new AuthApiError('INVALID_OOB_CODE');
  return { ...code, purpose };
}

/**
 * Returns the account without sign-in methods that were added before its address was verified. Called when the owner
 * verifies the address, so that a person who signs up with another person's address keeps no access to the account.
 */
export function withoutUnproven(account: Account): Account {
  const identities = account.identities.filter(({ wasLinkedVerified }) => wasLinkedVerified);
  const passkeys = account.passkeys.filter(({ wasAddedVerified }) => wasAddedVerified);
  if (account.isEmailVerified) return { ...account, identities, passkeys };
  return {
    ...account,
    identities,
    passkeys,
    password: null,
    passwordUpdatedAtMs: null,
    phoneNumber: null,
    factors: [],
    recoveryCodes: [],
  };
}
