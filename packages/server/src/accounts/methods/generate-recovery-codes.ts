import { accountsBook, saveAccount } from '../account-book.ts';
import { mustBeRecent, mustFindHolder, mustVerifyToken } from '../caller-account.ts';
import { mailNotice } from '../codes/mail-notice.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { newRecoveryCodes, withRecoveryCodes } from '../second-factor/recovery-codes.ts';
import { tellAudit } from '../tell-audit.ts';

/**
 * `mfaRecoveryCodes:generate`, which only Hearth has: codes that stand in for a lost second factor, in place of those from
 * before. Only for whoever has just signed in with the second factor: else a stolen session would outlive its theft.
 */
export async function generateRecoveryCodes(
  call: IdentityCall,
  services: IdentityServices,
): Promise<JsonObject> {
  const token = await mustVerifyToken(call, services);
  const recoveryCodes = newRecoveryCodes(services.randomBytes);
  await services.books.change((turn) => {
    const book = turn.book(accountsBook(call.project.id));
    const before = mustFindHolder(book, token);
    if (before.factors.length === 0) throw new IdentityError('MFA_ENROLLMENT_NOT_FOUND');
    if (token.secondFactor === undefined) throw new IdentityError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
    mustBeRecent(before, token, turn.nowMs);
    saveAccount(book, before, withRecoveryCodes(before, recoveryCodes));
    mailNotice(turn, call, services, before, 'recoveryCodesMade');
  });
  tellAudit(services, call, 'recovery_codes_made', token.uid);
  return { recoveryCodes };
}
