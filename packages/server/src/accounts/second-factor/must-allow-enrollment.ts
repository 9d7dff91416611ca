import type { VerifiedToken } from '../../tokens/verified-token.ts';
import type { Account } from '../account.ts';
import { mustBeRecent } from '../caller-account.ts';
import { IdentityError } from '../identity-error.ts';
import type { FactorKind } from './factor-kind.ts';
import { mustHaveVerifiedEmail } from './must-have-verified-email.ts';

/** Most second factors of one account. */
export const MAX_FACTORS = 5;

/** Ways to sign in that are no first proof: nothing is proved, or by the means of a second factor, or to somebody else. */
const NO_FIRST_FACTORS: ReadonlySet<string> = new Set([
  'anonymous',
  'phone',
  'custom',
  'gc.apple.com',
  'playgames.google.com',
]);

/** Refuses to enrol a second factor where that would protect nothing, or lock its owner out. */
export function mustAllowEnrollment(
  account: Account,
  token: VerifiedToken,
  { name, onlyOne }: FactorKind,
  nowMs: number,
): void {
  if (NO_FIRST_FACTORS.has(token.signInProvider))
    throw new IdentityError('UNSUPPORTED_FIRST_FACTOR', 'MFA is not available for the given first factor.');
  mustBeRecent(account, token, nowMs);
  mustHaveVerifiedEmail(account);
  if (onlyOne !== null && account.factors.some(({ kind }) => kind === name))
    throw new IdentityError('SECOND_FACTOR_EXISTS', onlyOne);
  if (account.factors.length >= MAX_FACTORS) throw new IdentityError('SECOND_FACTOR_LIMIT_EXCEEDED');
}
