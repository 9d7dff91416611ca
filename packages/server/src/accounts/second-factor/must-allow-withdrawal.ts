import type { VerifiedToken } from '../../tokens/verified-token.ts';
import type { SecondFactor } from '../account.ts';
import { IdentityError } from '../identity-error.ts';

/**
 * Refuses to let a session withdraw a factor that has used none, nor a recovery code in its place: whoever has only the
 * first proof would else be rid of the second. A factor that is younger than the session, which has to be young itself, may
 * go.
 */
export function mustAllowWithdrawal(
  { enrolledAtMs }: SecondFactor,
  { secondFactor, authTimeSec }: VerifiedToken,
): void {
  if (secondFactor !== undefined || enrolledAtMs >= authTimeSec * 1_000) return;
  throw new IdentityError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN', 'Sign in with the second factor first.');
}
