import type { Account } from '../account.ts';
import { nextValidSince } from '../next-valid-since.ts';
import { withFactors, withoutFactor } from '../second-factor/with-factor.ts';
import { withEmail } from '../with-email.ts';
import type { FoundCode } from './code-book.ts';
import type { AccountPurpose } from './must-find-meant.ts';

/** A code whose effect needs nothing but the code. */
export interface PlainCode extends FoundCode {
  readonly purpose: Exclude<AccountPurpose, { readonly kind: 'PASSWORD_RESET' }>;
}

/** The account once the code of a mail was used. All but the proof of an address void what was issued before. */
export function afterCode(account: Account, { purpose, sinceMs }: PlainCode, nowMs: number): Account {
  const validSinceSec = nextValidSince(account, nowMs);
  switch (purpose.kind) {
    case 'VERIFY_EMAIL':
      return { ...account, isEmailVerified: true };
    case 'VERIFY_AND_CHANGE_EMAIL':
      return { ...withEmail(account, purpose.newEmail, true), validSinceSec };
    case 'RECOVER_EMAIL':
      return {
        ...withoutFactorsSince(account, sinceMs),
        // Whoever took the address away may have set it, before that too, or know it.
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
 * An account without the second factors that it has got since an address was taken away, which would keep its owner out.
 * Recovery codes go in any case: whoever took the address away may have made them, or know them.
 */
function withoutFactorsSince(account: Account, sinceMs: number): Account {
  const earlier = account.factors.filter(({ enrolledAtMs }) => enrolledAtMs < sinceMs);
  return { ...withFactors(account, earlier), recoveryCodes: [] };
}
