import { createHash } from 'node:crypto';
import { Secret } from 'otpauth';
import type { Account } from '../accounts/account.ts';
import { accountRecords, saveAccount } from '../accounts/account-store.ts';
import { mailNotice } from '../codes/mails.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { requireCurrentUser, requireRecentSignIn, requireVerifiedToken } from '../sign-in/current-user.ts';

/** Returns `byteCount` unpredictable bytes, which can be shown in base32 for the user to copy. */
export function randomSecret(byteCount: number, randomBytes: (count: number) => Uint8Array): Secret {
  return Secret.fromHex(Buffer.from(randomBytes(byteCount)).toString('hex'));
}

/** Number of codes that an account gets at a time. */
const RECOVERY_CODE_COUNT = 10;
/**
 * More than 112 bits: a code of this length cannot be found from its hash, even though the hash is fast to
 * compute.
 */
const CODE_BYTES = 15;
const CODE = /^[A-Z2-7]{24}$/;

/**
 * Returns new recovery codes in the form in which users write them down: 120 random bits in base32, in four
 * groups of six.
 */
function newRecoveryCodes(randomBytes: (count: number) => Uint8Array): readonly string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const { base32 } = randomSecret(CODE_BYTES, randomBytes);
    return base32.replace(/.{6}(?=.)/g, '$&-').toLowerCase();
  });
}

/** Returns an account with new recovery codes, which replace its old ones. */
function withRecoveryCodes(account: Account, codes: readonly string[]): Account {
  return { ...account, recoveryCodes: codes.map((code) => hashOf(normalize(code))) };
}

/**
 * Returns the account without a used recovery code; `undefined` if the text is not one of its codes. Spaces,
 * hyphens and case are ignored.
 */
export function spendRecoveryCode(account: Account, text: string): Account | undefined {
  const code = normalize(text);
  if (!CODE.test(code)) return undefined;
  const hash = hashOf(code);
  if (!account.recoveryCodes.includes(hash)) return undefined;
  return { ...account, recoveryCodes: account.recoveryCodes.filter((other) => other !== hash) };
}

function normalize(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('base64url');
}

/**
 * `mfaRecoveryCodes:generate`, which exists only in Hearth: creates codes that replace a lost second factor.
 * Earlier codes become invalid. Requires a recent sign-in with the second factor: otherwise the thief of a
 * session could create codes, and use them after the session has ended.
 */
export async function generateRecoveryCodes(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const token = await requireVerifiedToken(call, services);
  const recoveryCodes = newRecoveryCodes(services.randomBytes);
  await services.recordStore.change((transaction) => {
    const records = transaction.records(accountRecords(call.project.scope));
    const before = requireCurrentUser(records, token);
    if (before.factors.length === 0) throw new AuthApiError('MFA_ENROLLMENT_NOT_FOUND');
    if (token.secondFactor === undefined) throw new AuthApiError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
    requireRecentSignIn(before, token, transaction.nowMs);
    saveAccount(records, before, withRecoveryCodes(before, recoveryCodes));
    mailNotice(transaction, call, services, before, 'recoveryCodesMade');
  });
  recordAudit(services, call, 'recovery_codes_made', token.uid);
  return { recoveryCodes };
}
